"""The language of the product stays plain: docstrings say what a function does, and old dialect does not come back."""

from __future__ import annotations

from tests.prose import openings, word_counts

MOST_OPENINGS, MOST_WORDS = 0.02, 150


def test_few_docstrings_open_with_a_question_word():
    places, docstrings = openings()
    assert len(places) <= MOST_OPENINGS * docstrings, "see CONTRIBUTING.md on language:\n" + "\n".join(places)


def test_few_sentences_use_words_in_a_sense_of_our_own():
    counts = word_counts()
    lines = [f"{count} {word}: {file}" for (file, word), count in counts.most_common()]
    assert counts.total() <= MOST_WORDS, "python -m tests.prose lists them:\n" + "\n".join(lines)
