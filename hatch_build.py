"""Build hook of the wheel: compiles the rules if it is enabled, as by HATCH_BUILD_HOOK_ENABLE_CUSTOM=true."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledRules(BuildHookInterface[Any]):
    """Adds compiled rules to a wheel, which then fits one version of Python on one system."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules beside their sources for an editable installation, else into the wheel."""
        root = Path(self.root)
        sys.path[:0] = [str(root), str(root / "server")]
        from tools.compile_rules import SERVER, compile_rules

        if version == "editable":
            compile_rules(SERVER, SERVER)
            return
        self._folder = tempfile.TemporaryDirectory(prefix="vinci-")
        built = Path(self._folder.name)
        files = compile_rules(SERVER, built)
        build_data["force_include"].update({str(built / path): path.as_posix() for path in files})
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled rules, which are in the wheel."""
        if version != "editable":
            self._folder.cleanup()
