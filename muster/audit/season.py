"""A season computed again from its own logs: who is who, the standings from the results taken, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided, as_seen
from shared.formats.season import entries as registered
from shared.formats.season.end import cut_of, moves_of, next_invited, title_of
from shared.formats.season.entries import SEASON_ENTRIES, season_of
from shared.formats.season.ranking import rows_recorded, table_of
from shared.formats.season.scoring_events import (
    DivisionsDecided,
    FinalCutMade,
    InvitationDeclined,
    SeasonResultsTaken,
    SeasonRowRecorded,
    SeasonStandingsRecorded,
)
from shared.formats.season.state import SEASON
from shared.tournament.events.scoring import TournamentConcluded
from shared.tournament.state import Tournament

Pages = list[SeasonRowRecorded]


def audit_identities(logs: Logs, findings: Findings) -> None:
    """Every entry is one player's at a time, and goes with whom it was said to go."""
    for heard, state in as_seen(logs, "registration"):
        check = IDENTITIES.get(type(heard.event))
        if check is not None:
            findings.counts["identities"] += 1
            for found, expected in check(heard.event, state):
                findings.fail("identity", heard, found, expected)


Different = Iterator[tuple[str, str]]
"""What was found, and what was expected."""


def _gathered(event: registered.TournamentGathered, state: Tournament) -> Different:
    if event.tournament in SEASON_ENTRIES.of(state).gathered:
        yield f"{event.tournament} for the second time", "each tournament once"
    if event.format == "season":
        yield f"{event.tournament}, a season", "a tournament that is no season"


def _claimed(event: registered.EntryClaimed, state: Tournament) -> Different:
    owner = SEASON_ENTRIES.of(state).claims.get(event.tournament, {}).get(event.entry)
    if event.tournament not in SEASON_ENTRIES.of(state).gathered:
        yield f"an entry of {event.tournament}", "of a tournament that is gathered"
    if owner is not None:
        yield f"{event.entry} of {event.tournament} claimed for {event.player}", f"nothing: it is {owner}"
    yield from _here(state, event.player)


def _merged(event: registered.IdentitiesMerged, state: Tournament) -> Different:
    yield from _here(state, event.player)
    yield from _here(state, event.into)
    if event.player == event.into:
        yield f"{event.player} merged with themselves", "two players"
    due = SEASON_ENTRIES.of(state).entries_of(event.player)
    if event.entries != due:
        yield f"with the entries {_named(event.entries)}", _named(due)


def _split(event: registered.IdentitySplit, state: Tournament) -> Different:
    own = SEASON_ENTRIES.of(state).entries_of(event.player)
    for one in event.entries:
        if one not in own:
            yield f"{_named([one])} taken out of {event.player}", f"one of {_named(own)}"


def _here(state: Tournament, player: str) -> Different:
    if player not in state.entries.players:
        yield player, "a player of this season"
    elif player in SEASON_ENTRIES.of(state).merged:
        yield player, f"{SEASON_ENTRIES.of(state).identity(player)}, who they are by now"


def _named(entries: list[registered.EntryNamed]) -> str:
    return ", ".join(f"{one.tournament}/{one.entry}" for one in entries) or "none"


IDENTITIES: Mapping[type, Callable[[Any, Tournament], Different]] = MappingProxyType(
    {
        registered.TournamentGathered: _gathered,
        registered.EntryClaimed: _claimed,
        registered.IdentitiesMerged: _merged,
        registered.IdentitySplit: _split,
    }
)
"""Event of registration -> what is wrong with it."""


def audit_season_results(logs: Logs, findings: Findings) -> None:
    """What was taken belongs to the season, and the standings follow from it."""
    due: Pages = []
    for heard, state, seed in as_decided(logs, "scoring"):
        match heard.event:
            case SeasonResultsTaken() as taken:
                _taken(heard, taken, state, findings)
            case SeasonStandingsRecorded() as recorded:
                if recorded.page == 1:
                    due = _standings_due(heard, recorded, state, findings)
                _page(heard, recorded, due, findings)
                due = due[len(recorded.rows) :]
            case DivisionsDecided() as decided:
                _divisions(heard, decided, state, findings)
            case FinalCutMade() as made:
                _cut(heard, made, state, findings)
            case InvitationDeclined() as declined:
                _declined(heard, declined, state, findings)
            case TournamentConcluded() as concluded:
                _title(heard, concluded, state, seed, findings)


def _taken(heard: DecodedEvent, event: SeasonResultsTaken, state: Tournament, findings: Findings) -> None:
    findings.counts["results"] += len(event.rows)
    over = state.results.concluded and season_of(state.entries).counting.after_end == "told"
    if event.told != over:
        findings.fail("results", heard, f"told: {event.told}", f"{over}, by the end of the season and its ruleset")
    if event.tournament not in SEASON_ENTRIES.of(state).gathered:
        findings.fail("results", heard, f"results of {event.tournament}", "of a tournament that is gathered")
    coming = SEASON.of(state).coming_results if event.page > 1 else None
    known = {row.entry for row in coming.rows} if coming else set()
    for row in event.rows:
        if row.entry in known:
            findings.fail("results", heard, f"{row.entry} of {event.tournament} twice", "each entry once")
        known.add(row.entry)


def _standings_due(heard: DecodedEvent, event: SeasonStandingsRecorded, state: Tournament, findings: Findings) -> Pages:
    """The rows that should stand in all pages."""
    findings.counts["standings"] += 1
    before = SEASON.of(state).table
    number = before.number + 1 if before else 1
    if event.number != number:
        findings.fail("standings", heard, f"number {event.number}", f"{number}")
    if event.registration != heard.seen.get("registration", 0):
        expected = f"{heard.seen.get('registration', 0)}, as far as was seen"
        findings.fail("standings", heard, f"made from registration {event.registration}", expected)
    try:
        return rows_recorded(table_of(state), before)
    except Exception as error:  # results that the rules cannot rank
        findings.fail("standings", heard, misfit(error, event), "results that the ruleset can rank")
        return []


def _page(heard: DecodedEvent, event: SeasonStandingsRecorded, due: Pages, findings: Findings) -> None:
    rows = due[: len(event.rows)] if event.page < event.pages else due
    for found, right in zip([*event.rows, None], [*rows, None], strict=False):
        if found != right:
            findings.fail("standings", heard, f"standings {event.number}: {found}", f"{right}")
            return


def _divisions(heard: DecodedEvent, event: DivisionsDecided, state: Tournament, findings: Findings) -> None:
    findings.counts["moves between divisions"] += len(event.moves)
    moves, _ = moves_of(state, event.named)
    for found, right in zip([*event.moves, None], [*moves, None], strict=False):
        if found != right:
            findings.fail("division", heard, f"{found}", f"{right}")
            return


def _cut(heard: DecodedEvent, event: FinalCutMade, state: Tournament, findings: Findings) -> None:
    found = cut_of(table_of(state), season_of(state.entries), (), event.named)
    due = [one.player for one in found.invited]
    if event.invited != due:
        findings.fail("final", heard, f"invited {', '.join(event.invited)}", ", ".join(due))
    table = SEASON.of(state).table
    number = table.number if table else 0
    if event.standings != number:
        findings.fail("final", heard, f"made from standings {event.standings}", f"{number}")


def _declined(heard: DecodedEvent, event: InvitationDeclined, state: Tournament, findings: Findings) -> None:
    due, _ = next_invited(state, event.player, event.named)
    if event.replaced_by != due:
        findings.fail("final", heard, f"{event.replaced_by or 'nobody'} for {event.player}", due or "nobody")


def _title(heard: DecodedEvent, event: TournamentConcluded, state: Tournament, seed: str, findings: Findings) -> None:
    winner, draws = title_of(state, seed)
    if event.winner != winner:
        findings.fail("winner", heard, event.winner or "nobody", winner or "nobody")
    if event.draws != draws:
        findings.fail("draw", heard, f"{event.draws}", f"{draws}")
    if event.rounds != len(SEASON.of(state).taken):
        findings.fail("closing", heard, f"{event.rounds} tournaments", f"{len(SEASON.of(state).taken)}")
