"""Statistics of leagues: ratings, intervals, variance reduction and stopping rules, all functions of results.

numpy multiplies matrices in one thread here: in another order of threads sums would differ, and threads that wait for
each other took a fifth of the CPU time of a report.
"""

import os

THREADS = "OPENBLAS_NUM_THREADS"

if THREADS not in os.environ:
    os.environ[THREADS] = "1"
    import numpy as np  # noqa: F401 -- it reads the variable when it is imported

    del os.environ[THREADS]  # bots inherit the environment
