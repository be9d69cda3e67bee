"""What staff want to know beside a game: what was played at its table before, and for what its players were warned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from muster_client import Unreachable, answers, problems
from services.console.game_history import told
from services.console.judge_calls import KEPT
from services.console.upstream import muster

EARLIER = 50
"""Games at one table: more rounds than any event has."""


class Earlier(Struct, frozen=True):
    """A game at the same table in another round."""

    game: answers.GameShown
    score: str


class Warned(Struct, frozen=True):
    """A warning. where: the name of another tournament of the season; empty: in this one."""

    name: str
    where: str
    time: str
    actor: str
    reason: str
    clause: str


def earlier_at_table(event: str, game: answers.GameShown) -> list[Earlier]:
    """The other games at the table of a game, the first round first; none where it has no table."""
    if not game.table:
        return []
    found = muster().scoring.list_games(event, round="all", table=game.table, venue=game.venue or None, limit=EARLIER)
    return [Earlier(one, told(one.facts) if one.facts else "") for one in found.items if one.id != game.id]


def warnings_of(event: str, game: answers.GameShown, staff: Mapping[str, str]) -> list[Warned]:
    """The warnings of both players, of this tournament and of those that a season counts with it.

    staff: id of a member of the staff of this tournament -> their name.
    """
    return [warning for player, name in players_of(game) for warning in _warnings(event, player, name, staff)]


def players_of(game: answers.GameShown) -> list[tuple[str, str]]:
    """Id and name of those who play as players; a spare player of the staff is none."""
    both = [(game.player_1, game.name_1), (game.player_2, game.name_2)]
    return [(player, name) for player, name in both if player and (game.kind != "spare" or player != game.player_2)]


def calls_to(event: str, game: str) -> Sequence[answers.JudgeCallView]:
    """The calls to the table of a game; none while pairing is away, which takes nothing else from the page."""
    try:
        return muster().pairing.list_calls(event, game=game, limit=KEPT).items
    except Unreachable:
        return []


def _warnings(event: str, player: str, name: str, staff: Mapping[str, str]) -> Iterator[Warned]:
    asked = muster()
    try:
        for one in asked.registration.list_warnings(event, player).items:
            who, parted, role = one.actor.partition(", ")
            yield Warned(name, "", one.time, staff.get(who, who) + parted + role, one.reason, one.clause)
        for other in asked.scoring.list_warnings_in_seasons(event, player).items:
            if other.tournament != event:
                yield Warned(name, other.name, other.time, other.actor, other.reason, other.clause)
    except problems.PlayerUnknown:
        return
