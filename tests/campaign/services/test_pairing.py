"""Rounds of a campaign over HTTP: who meets whom, who rests, when a round can be paired, and by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.campaign.services.league import League

New = Callable[..., League]


@pytest.mark.clause("FS-RND-2")
def test_the_nearest_ratings_meet(new: New) -> None:
    league = new(4, built=True)
    paired = league.pair()
    assert paired.body["round"] == 1
    assert sorted(map(len, league.pairs(1))) == [2, 2]
