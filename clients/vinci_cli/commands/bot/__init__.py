"""`vinci bot`: run bots, begin one, check one."""
