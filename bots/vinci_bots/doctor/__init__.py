"""Bot doctor: check one by one the abilities that a bot needs in a league."""
