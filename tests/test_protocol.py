"""The `.proto` files: `vinci.v1` only grows, and has the options that generators of other languages need."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, MethodOptions

from tests.support.paths import DATA, PROJECT
from vinci.v1 import admin_pb2, analysis_pb2, bot_pb2, game_pb2, lobby_pb2, match_pb2, person_pb2

FILES: Final[list[Any]] = [
    module.DESCRIPTOR for module in (admin_pb2, analysis_pb2, bot_pb2, game_pb2, lobby_pb2, match_pb2, person_pb2)
]
PUBLISHED: Final = DATA / "protocol-1.txt"
"""Output of `described` for the protocol as it was published first. It is never changed."""


def described(file: Any) -> Iterator[str]:
    """Return a line for each field, enum value and call, none of which may disappear or change."""
    proto = FileDescriptorProto()
    file.CopyToProto(proto)
    for message in proto.message_type:
        for field in message.field:
            label = "repeated " if field.label == field.LABEL_REPEATED else ""
            kind = field.type_name or field.Type.Name(field.type).removeprefix("TYPE_").lower()
            in_oneof = field.HasField("oneof_index") and not field.proto3_optional
            oneof = f" in {message.oneof_decl[field.oneof_index].name}" if in_oneof else ""
            yield f"{message.name}.{field.name} = {field.number}: {label}{kind}{oneof}"
    for enum in proto.enum_type:
        yield from (f"{enum.name}.{value.name} = {value.number}" for value in enum.value)
    for service in proto.service:
        for call in service.method:
            given = f"{'stream ' * call.client_streaming}{call.input_type}"
            yield f"{service.name}.{call.name}: {given} -> {'stream ' * call.server_streaming}{call.output_type}"


def test_published_fields_and_calls_are_unchanged() -> None:
    """A renumbered, renamed or retyped field breaks existing clients."""
    now = {line for file in FILES for line in described(file)}
    published = PUBLISHED.read_text(encoding="utf-8").splitlines()
    assert len(published) > 600
    assert not [line for line in published if line not in now]


@pytest.mark.parametrize("changed", ["", "bool drains = 3;", "int32 draining = 3;"])
def test_buf_finds_breaking_changes(changed: str, tmp_path: Path) -> None:
    """As `make check` runs it, buf reports a removed, renamed or retyped field."""
    shutil.copytree(PROJECT / "proto", tmp_path / "proto", ignore=shutil.ignore_patterns("*.py*"))
    shutil.copy(PROJECT / "buf.yaml", tmp_path)
    arguments: list[str | Path] = [
        Path(sys.executable).with_name("buf"),
        "breaking",
        "--against",
        DATA / "released-protocol.binpb",
    ]

    def compared() -> subprocess.CompletedProcess[str]:
        return subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (compared().returncode, compared().stdout) == (0, "")
    file = tmp_path / "proto" / "vinci" / "v1" / "admin.proto"
    text = file.read_text(encoding="utf-8")
    assert "bool draining = 3;" in text
    file.write_text(text.replace("bool draining = 3;", changed), encoding="utf-8")
    assert compared().returncode != 0
    assert "admin.proto" in compared().stdout


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_files_have_the_options_for_go_and_java(file: Any) -> None:
    """Without go_package protoc-gen-go fails; Java would put `Match` in a class of the same name."""
    options = file.GetOptions()
    assert options.go_package == "github.com/vinci-server/vinci-server/gen/go/vinci/v1;vinciv1"
    assert options.java_multiple_files


def test_read_only_calls_are_marked() -> None:
    """Calls named Get and List are marked as free of side effects, so that libraries may retry them."""
    for service in (service for file in FILES for service in file.services_by_name.values()):
        for call in service.methods:
            if re.match("(Get|List)[A-Z]", call.name):
                assert call.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS, call.full_name
