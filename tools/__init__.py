"""Programs that write or check generated files of the repository; run as `python -m tools.NAME`."""
