"""Live pages: one subscription of an event, shared by all pages that show it."""
