"""The bot doctor: what a bot has to be able to do to play in a league, tried one by one."""
