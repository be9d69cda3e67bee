"""Byes that do not come from the pairing: who has one sits out of it, and the others are paired among themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from shared.formats.swiss.rules.game_parts import ByeWorth
from shared.formats.swiss.rules.pairing import PairedRound
from shared.formats.swiss.rules.ruleset import Ruleset
from shared.refusals import Fault, as_said, expects, one_of
from shared.rules.model import GIVEN, Entrant, GivenBye, Pairing, PairingKind


def kind_of(bye: GivenBye | None) -> str:
    """What a bye is called beside the kinds of pairings: `bye`, `awarded_bye` or `requested_bye`."""
    return f"{bye}_bye" if bye else "bye"


def fault_of_kind(ruleset: Ruleset, said: str, where: str) -> Fault | None:
    """What is wrong with a kind of bye that there is not, or that the ruleset gives no worth; None where nothing is."""
    given = GIVEN.get(said)
    if given is not None and ruleset.bye.worth(given) is not None:
        return None
    known = [name for name, kind in GIVEN.items() if ruleset.bye.worth(kind)]
    expected = one_of(known) if known else expects("only-byes-of-pairing", ruleset=ruleset.id)
    return Fault(where, as_said(said), expected, ruleset.bye.clause)


def fault_of_number(ruleset: Ruleset, given: GivenBye | None, had: int, said: str, where: str) -> Fault | None:
    """What is wrong with one more bye of this kind; None where nothing is.

    had: how many of them the player has in other rounds. said: what was asked for.
    """
    worth = ruleset.bye.worth(given) if given else None
    if not isinstance(worth, ByeWorth) or worth.most is None or had < worth.most:
        return None
    return Fault(where, said, expects("byes-of-player", most=worth.most, had=had), worth.cites("most"))


ALONE = "everybody else has a given bye"
"""The reason of the bye of a single player who is left."""


def pair_around(
    byes: Mapping[str, GivenBye],
    entrants: Iterable[Entrant],
    round: int,
    pair: Callable[[list[Entrant]], PairedRound],
    spare: str = "",
) -> PairedRound:
    """The round as `pair` makes it of those without a given bye; the given byes come last, in the order of `byes`.

    Who has one is handed on as somebody who is not paired in this round, and stays in the standings. A single player
    who is left has the ordinary bye, or plays the spare player. spare: the id of one who stands by.
    Raises what `pair` raises.
    """
    others = [replace(entrant, joined_round=round + 1) if entrant.player in byes else entrant for entrant in entrants]
    left = [entrant.player for entrant in others if entrant.plays(round)]
    if byes and len(left) == 1:
        kind: PairingKind = "spare" if spare else "bye"
        paired = PairedRound(round, (Pairing(kind, left[0], spare or None, reason=ALONE),), ())
    else:
        paired = pair(others)
    given = (Pairing("bye", player, reason=reason_of(bye), bye=bye) for player, bye in byes.items())
    return replace(paired, pairings=(*paired.pairings, *given))


def reason_of(bye: GivenBye) -> str:
    """Why somebody has such a bye, in words for the round."""
    return {"awarded": "a bye won before the start", "requested": "a bye that the player asked for"}[bye]
