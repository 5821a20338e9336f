"""The gRPC services: each call decodes, authorises, asks the lobby or a match, and answers."""
