"""The games of a season as the shared tiebreakers want them: one record for each game of each member. SEA-GAMES."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from shared.formats.season.rules.counting import ATTENDED, Own
from shared.formats.season.rules.model import Counted, GamePlayed, Gathered, Left, Member
from shared.formats.season.rules.points import game_worth, worth_of_game
from shared.formats.season.rules.ruleset import GameWorth, SeasonRuleset
from shared.rules.model import Outcome
from shared.rules.records import Played, Records

VALUES = ("game_points", "score")
"""The values of each game: what it is worth in the season, and the points it gave in its tournament."""

_OTHER: Mapping[Outcome, Outcome] = {"win": "loss", "draw": "draw", "loss": "win"}


def identities(members: Iterable[Member]) -> dict[tuple[str, str], str]:
    """Tournament and entry -> the member who that is."""
    return {(one.tournament, one.entry): member.player for member in members for one in member.entries}


def records_of_season(
    rules: SeasonRuleset,
    members: Sequence[Member],
    own: Mapping[str, Sequence[Own]],
    counted: Mapping[str, Sequence[Counted]],
) -> Records:
    """Every game of every member in the order they were played, in tournaments that the ruleset's tiebreakers see.

    An opponent whom no member has claimed is nobody, as a spare player is: nothing is known of their season.
    """
    seen: Collection[Left] = ATTENDED if rules.counting.games == "every" else {""}
    who = identities(members)
    records: dict[str, list[Played]] = {}
    for member in members:
        rounds = records[member.player] = []
        for one, result in zip(own[member.player], counted[member.player], strict=True):
            if result.left in seen:
                worth = game_worth(rules.points, one.gathered.format)
                for game in one.result.games:
                    rounds.append(_played(len(rounds) + 1, game, one.gathered, worth, who))
    return records


def _played(
    number: int, game: GamePlayed, gathered: Gathered, worth: GameWorth, who: Mapping[tuple[str, str], str]
) -> Played:
    met = game.kind == "game" and game.opponent
    return Played(
        number,
        who.get((gathered.tournament, game.opponent)) if met else None,
        game.outcome,
        {"game_points": worth_of_game(worth, game), "score": game.score},
        game.kind == "bye",
        {"game_points": _against(worth, game), "score": game.against},
    )


def _against(worth: GameWorth, game: GamePlayed) -> int:
    """What the other side had of a game; there is none in a bye."""
    if game.kind == "bye" or not game.opponent:
        return 0
    return worth_of_game(worth, GamePlayed(_OTHER[game.outcome], kind=game.kind))
