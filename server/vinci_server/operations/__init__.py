"""For operators: logs, metrics for Prometheus, announcement on the network."""
