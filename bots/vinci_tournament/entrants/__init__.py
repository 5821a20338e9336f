"""Bots that were handed in as folders or archives: unpacked, built and checked in the sandbox, and reported."""
