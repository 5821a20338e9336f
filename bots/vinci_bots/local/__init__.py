"""Games among bots on this machine: processes, a local server, participants."""
