"""Bots that read decisions from standard input and write answers to standard output. See docs/bots.md."""
