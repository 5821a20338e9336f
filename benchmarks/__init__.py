"""Benchmarks of the project, beside references in the same run. `python -m benchmarks [GROUP]`."""
