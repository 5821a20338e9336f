"""`python -m vinci_cli.serve.ssh`, started by the server."""

from .process import main

main()
