"""Processes beside a server, and who may use it."""
