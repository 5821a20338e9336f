"""The page for browsers, and the services for HTTP by the Connect protocol; needs the packages of the extra `web`."""
