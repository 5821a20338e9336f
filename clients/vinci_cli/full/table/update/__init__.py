"""The reducer of the table page: `update(table, ui, event)` returns the next `UiState` and effects."""
