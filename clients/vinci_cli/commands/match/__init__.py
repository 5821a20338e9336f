"""`vinci match`: games among commands, and what a server keeps about a match."""
