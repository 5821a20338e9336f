"""`python -m vinci_cli` is `vinci`."""

from .main import main

main()
