"""Analysis of positions by playouts, as a service and as a server of its own."""
