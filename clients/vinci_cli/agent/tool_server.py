"""The tools as a server of the Model Context Protocol; it takes seconds to import."""

from collections.abc import Iterator
from importlib.metadata import version
from inspect import signature
from typing import Any, Final, final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from .tools import INSTRUCTIONS, Agents

TYPES: Final = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list[str]: "a list of texts",
    list[str] | str: "a list of texts",
}
"""The types of arguments in words."""


@final
class ToolServer(MCPServer[Any]):
    """A server with the tools of agents."""

    def __init__(self, agents: Agents) -> None:
        number = version("vinci-server")
        super().__init__("vinci", version=number, instructions=INSTRUCTIONS, lifespan=agents.opened, log_level="ERROR")
        self._arguments: Final = {tool.__name__: signature(tool).parameters for tool in agents.all()}
        for tool in agents.all():
            self.add_tool(tool, structured_output=False)

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool. Raises ToolError, which tells in words what is wrong with its arguments."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError("\n".join(dict.fromkeys(self._wrong(name, error.__cause__)))) from None

    def _wrong(self, name: str, error: ValidationError) -> Iterator[str]:
        """Yield a sentence for each argument that is missing or of another type."""
        for found in error.errors(include_url=False):
            argument = str(found["loc"][0])
            wanted = TYPES[self._arguments[name][argument].annotation]
            is_missing = found["type"] == "missing"
            yield f"`{name}` needs `{argument}`, {wanted}." if is_missing else f"`{argument}` of `{name}` is {wanted}."
