"""What tells open pages that something has changed: one subscription of an event for all who look at it."""
