"""Sentences about games as data, shared by the clients: the terminal reads them here, the page in a copy."""
