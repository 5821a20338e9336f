"""`vinci completion`, and what the shells ask when Tab is pressed. Nothing here imports gRPC."""
