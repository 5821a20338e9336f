"""The authoritative game server: store, matches, lobby, bots and the gRPC services in front of them."""
