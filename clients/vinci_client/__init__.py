"""The client library: a session with a server that reconnects by itself, and the stream of a bot."""
