"""Writes the Python code of `proto/vinci/v1/*.proto` beside it; with `--check`, only tells whether it is up to date.

Run as `python -m tools.generate_protos [--check]` with the development packages installed. grpcio-tools is pinned, at
the oldest release that the project supports, so the same files come out everywhere; stubs are by mypy-protobuf.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROTO = Path(__file__).parents[1] / "proto"
SOURCES = sorted(PROTO.glob("vinci/v1/*.proto"))


def generate(target: Path) -> None:
    """Write all generated files below `target`."""
    arguments = [
        f"--proto_path={PROTO}",
        *(f"--{plugin}={target}" for plugin in ("python_out", "grpc_python_out", "mypy_out", "mypy_grpc_out")),
        *map(str, SOURCES),
    ]
    command = [sys.executable, "-P", "-m", "grpc_tools.protoc", *arguments]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # the plugins' place
    environment = os.environ | {"PATH": path}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, check=False
    )
    if done.returncode:
        sys.exit(done.stdout)


def stale(fresh: Path) -> list[str]:
    """Paths whose committed text differs from the freshly generated one, and generated files without a source."""
    made = {path.relative_to(fresh) for path in fresh.rglob("*_pb2*.py*")}
    kept = {path.relative_to(PROTO) for path in PROTO.rglob("*_pb2*.py*") if "__pycache__" not in path.parts}
    differing = {path for path in made & kept if (fresh / path).read_text() != (PROTO / path).read_text()}
    return sorted(str(path) for path in differing | (made ^ kept))


def main() -> int:
    """0 if the generated code is, or now is, up to date."""
    if "--check" not in sys.argv[1:]:
        generate(PROTO)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        found = stale(Path(folder))
    for path in found:
        print(f"proto/{path} is not what tools/generate_protos.py writes; run it without --check")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
