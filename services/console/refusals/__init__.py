"""What refusals mean and what to do: a table for each thing that they are about (see `refusal_words.py`)."""
