"""Random seasons for property tests: members, some of them merged, and tournaments with games."""

from __future__ import annotations

from hypothesis import strategies as st

from shared.rules.model import Outcome, Status
from shared.season.ruleset import Entered, GamePlayed, Member, Result, TournamentResults

NAMES = tuple("abcdefg")
_OTHER: dict[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


@st.composite
def tournaments(draw: st.DrawFn, number: int) -> TournamentResults:
    """Return tournament t<number>: some of the players in some order, with ties, neighbours' games and leavers."""
    order = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    games: dict[str, list[GamePlayed]] = {name: [] for name in order}
    for round in range(1, draw(st.integers(0, 2)) + 1):
        turned = order[round - 1 :] + order[: round - 1]
        for one, other in zip(turned[::2], turned[1::2], strict=False):
            outcome: Outcome = draw(st.sampled_from(("win", "draw", "loss")))
            games[one].append(GamePlayed(outcome, other, score=draw(st.integers(0, 5))))
            games[other].append(GamePlayed(_OTHER[outcome], one))
    results: list[Result] = []
    for index, name in enumerate(order):
        tied = bool(results) and draw(st.booleans())
        status: Status = draw(st.sampled_from(("active", "active", "active", "dropped", "disqualified")))
        place = results[-1].place if tied else index + 1
        results.append(Result(name, place, draw(st.integers(0, 30)), tuple(games[name]), status))
    weight = draw(st.sampled_from((None, 50, 150)))
    return TournamentResults(f"t{number}", number, tuple(results), weight=weight)


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[Member], list[TournamentResults]]:
    """Return a season of up to five tournaments. Every player is a member, or the last two belong to one member."""
    gathered = [draw(tournaments(number)) for number in range(1, draw(st.integers(1, 5)) + 1)]
    owned = {name: [name] for name in NAMES}
    if draw(st.booleans()):
        owned["f"] += owned.pop("g")
    everybody = [
        Member(name, tuple(Entered(one.tournament, entry) for one in gathered for entry in entries))
        for name, entries in owned.items()
    ]
    return everybody, gathered
