"""Playing with nothing but `ssh`: the full-screen client, run here for terminals elsewhere."""
