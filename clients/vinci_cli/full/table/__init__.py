"""The table: page, layout, selection, actions, playback."""
