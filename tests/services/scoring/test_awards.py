"""Awards."""

from __future__ import annotations

import pytest


@pytest.mark.clause("FF-AWD-1")
def test_an_award_does_not_affect_ranks(evening):
    before = evening.standings()
    assert evening.post("/awards", {"name": "Best terrain", "player": "p4"}).types == ["AwardGiven"]
    assert evening.standings() == before
    assert [row["player"] for row in evening.get("/awards").body["items"]] == ["p4"]
