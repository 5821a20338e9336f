"""HTML pages and SVG charts for the reports of games and leagues: no scripts, and nothing is loaded from elsewhere."""
