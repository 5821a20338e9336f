"""The catalogue of refusals, shared by the server, which words them, and clients, which translate them."""
