"""What the project measures of itself, beside others in the same run. `python -m benchmarks [GROUP]`."""
