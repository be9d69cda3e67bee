"""What comes before a campaign's game, and whether all of it is recorded: musters and dice. FS-GAM-1 to FS-GAM-5."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from services.scoring.tournament.refusals import GameNotReady
from shared.formats.campaign.league import groups_before, mustered_for, sides_of
from shared.formats.campaign.rules import muster as before
from shared.formats.campaign.rules.refusals import ChoiceRefused
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import rivals_of
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.ruleset import campaign_of
from shared.formats.campaign.state import Mustered
from shared.refusals import Fault
from shared.tournament.events.pairing import Seat
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def musters_of(state: Tournament, seat: Seat) -> dict[str, Mustered]:
    """The groups of a game as they were mustered for it."""
    found = {id: mustered_for(state, seat.game, id) for id in seat.players}
    return {id: told for id, told in found.items() if told is not None}


def need_ready(state: Tournament, round: Round, seat: Seat) -> None:
    """Raises GameNotReady unless all groups are mustered and every die before the game is rolled."""
    faults = list(faults_of_readiness(state, round, seat))
    if faults:
        raise GameNotReady(f"The preparation of {seat.game} is not complete.", faults)


def faults_of_readiness(state: Tournament, round: Round, seat: Seat) -> Iterator[Fault]:
    """What has to be recorded before a game and is not: musters, jams, judgements, objectives. FS-GAM-1 to FS-GAM-5."""
    rules, groups, mustered = campaign_of(state.entries, round.number), groups_before(state), musters_of(state, seat)
    for id in seat.players:
        if id not in groups:
            yield Fault(f"/groups/{id}", "nothing", "a group with turfs, leader and rating", "FS-GRP-6")
            continue
        known = mustered.get(id)
        if known is None:
            yield Fault(f"/groups/{id}/fielded", "nothing", "the members who play", "FS-GAM-1")
            continue
        yield from _no_longer_fielded(rules, groups[id], known)
        for item in before.jam_rolls_due(rules, groups[id], known.fielded):
            if item.id not in known.jammed:
                yield Fault(f"/groups/{id}/jams/{item.id}", "nothing", "1D12 for each ranged weapon", "FS-GAM-3")
        for rival in rivals_of(sides_of(seat), id):
            if rival in groups and rival not in known.judged and before.judges(rules, groups[id], groups[rival]):
                yield Fault(f"/groups/{id}/evil", "nothing", f"1D12 that judges {rival}", "FS-GAM-4")
        if not known.objective:
            yield Fault(f"/groups/{id}/objective", "nothing", "1D12", "FS-GAM-5")


def _no_longer_fielded(rules: Rules, group: Group, mustered: Mustered) -> list[Fault]:
    """What of a muster does not hold any more, since goods moved after it. FS-GAM-1, FS-PGP-7."""
    try:
        before.muster(rules, group, mustered.fielded)
    except ChoiceRefused as refused:
        return [replace(fault, where=f"/groups/{group.id}{fault.where}") for fault in refused.faults]
    return []
