"""Statistics of leagues: ratings, intervals, variance reduction and stopping rules, all functions of results.

numpy multiplies matrices in one thread here: in another order of threads sums would differ, and threads that wait for
each other took a fifth of the CPU time of a report.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy reads it when it is imported
