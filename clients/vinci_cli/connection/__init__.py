"""From a command to a seat: addresses, access, seats kept on this machine, nonces."""
