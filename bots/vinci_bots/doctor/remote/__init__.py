"""Doctor for remote bots: they connect by themselves, with name and key, and play many games over one stream."""
