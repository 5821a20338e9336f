"""The full-screen client: pages drawn as pure functions of what is known, and the terminal that shows them."""
