"""What services say that they expect, and the words of the console for it."""
