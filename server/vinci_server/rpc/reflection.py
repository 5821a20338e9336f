"""Server reflection as `grpc.reflection.v1` and, as in grpcio-reflection, `v1alpha`, with the same messages."""

from collections.abc import Sequence
from typing import Any, Final, final

from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2

_V1ALPHA: Final = "grpc.reflection.v1alpha"
_V1: Final = "grpc.reflection.v1"
_FILE: Final = "grpc/reflection/v1/reflection.proto"
SERVICES: Final = tuple(f"{package}.ServerReflection" for package in (_V1, _V1ALPHA))


@final
class Reflection:
    """Serves the descriptors of the services of these names and of reflection itself; both versions share it."""

    def __init__(self, names: Sequence[str]) -> None:
        _describe_v1()
        servicer: Any = reflection.aio.ReflectionServicer([*names, *SERVICES])
        self.server_reflection_info: Final = servicer.ServerReflectionInfo


def _describe_v1() -> None:
    """Add the v1 service to the descriptor pool, unless a later grpcio-reflection has done so."""
    pool = descriptor_pool.Default()
    try:
        pool.FindFileContainingSymbol(SERVICES[0])
    except KeyError:
        file = FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(file)
        file = text_format.Parse(str(file).replace(_V1ALPHA, _V1), FileDescriptorProto())
        file.name = _FILE
        pool.AddSerializedFile(file.SerializeToString())
