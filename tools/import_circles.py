"""A contract for import-linter: no two modules import each other in a circle, imports for types included."""

from graphlib import CycleError, TopologicalSorter
from typing import Any

from importlinter import Contract, ContractCheck, output


class NoCircles(Contract):
    """Breaks where modules of the root packages import each other in a circle."""

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Return whether there is no circle, else with the modules of one."""
        imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
        try:
            TopologicalSorter(imports).prepare()
        except CycleError as error:
            return ContractCheck(kept=False, metadata={"circle": error.args[1][::-1]})
        return ContractCheck(kept=True)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the modules of the circle, each of which imports the next."""
        output.print_error(" -> ".join(check.metadata["circle"]))
