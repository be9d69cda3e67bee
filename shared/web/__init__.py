"""The HTTP edge that every service shares: problems, tokens, conditions, paging, health, documentation."""
