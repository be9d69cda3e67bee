"""A season beside its tournaments: what it says and takes of them is what their logs gave, where these are at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster.audit.commands import commands_of
from muster.audit.findings import Findings
from muster.audit.replay import CannotFold, DecodedEvent, Logs, take, whole
from muster.audit.times import CLOCK_ERROR, moment
from services.registration.season.commands import ClaimByName, ClaimEntries, ContinueSeason, GatherTournament
from services.scoring.season.decide import causes_of
from shared.formats.by_format import results_of
from shared.formats.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.formats.season.scoring_events import LogEnd, SeasonResultsTaken
from shared.formats.season.state import SEASON
from shared.tournament.events.registration import TournamentAnnounced
from shared.tournament.state import SOURCES, Tournament

Facts = tuple[str, ...]
"""Of an entry: name, club, status. Of a tournament: name, format, ruleset, day, tier."""


def audit_season(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Compare a season with its tournaments; nothing is compared of a tournament that is no season.

    tournaments: id -> its logs. What the season says of others is counted as not compared.
    """
    if not _is_season(season):
        return
    _audit_said(season, tournaments, findings)
    known: dict[str, Mapping[str, LogEnd]] = {}
    for pages in _taken(season):
        first = pages[0][1]
        if logs := tournaments.get(first.tournament):
            _compare(pages, logs, known.get(first.tournament, {}), findings)
        else:
            findings.counts["results not at hand"] += 1
        known[first.tournament] = _heads(first)
    _audit_left(season, tournaments, findings)


def _is_season(logs: Logs) -> bool:
    announced = next((heard.event for heard in logs.get("registration", ())), None)
    return isinstance(announced, TournamentAnnounced) and announced.format == "season"


def _taken(season: Logs) -> Iterator[list[tuple[DecodedEvent, SeasonResultsTaken]]]:
    """Results as they were taken, all pages of them together."""
    pages: list[tuple[DecodedEvent, SeasonResultsTaken]] = []
    for heard in season.get("scoring", ()):
        if isinstance(heard.event, SeasonResultsTaken):
            pages = [*(pages if heard.event.page > 1 else ()), (heard, heard.event)]
            if heard.event.page == heard.event.pages:
                yield pages


def _heads(taken: SeasonResultsTaken) -> dict[str, LogEnd]:
    return {end.source: end for end in taken.heads}


def _compare(
    pages: Sequence[tuple[DecodedEvent, SeasonResultsTaken]],
    logs: Logs,
    before: Mapping[str, LogEnd],
    findings: Findings,
) -> None:
    """Whether results are those of the logs where they ended, and whether what changed them is named. before: where
    they ended when they were taken before.
    """
    first, taken = pages[0]
    findings.counts["results compared"] += 1
    for end in taken.heads:
        there = next((heard.hash for heard in logs.get(end.source, ()) if heard.position == end.position), None)
        if there != end.hash:
            said = f"{taken.tournament} as of {end.source} {end.position}, {end.hash}"
            findings.fail("results", first, said, f"{there or 'no such event'}, in the log of that tournament")
            return
    try:
        due = results_of(_as_of(logs, {end.source: end.position for end in taken.heads}))
    except CannotFold as stopped:
        findings.fail("results", first, f"results of {taken.tournament}", f"none: {stopped}")
        return
    ends = _heads(taken)
    causes = causes_of(lambda source, after, upto: _between(logs, source, after, upto), before, ends)
    rows = [row for _, page in pages for row in page.rows]
    for found, right in zip([*rows, None, *taken.causes, None], [*due, None, *causes, None], strict=False):
        if found != right:
            findings.fail("results", first, f"{taken.tournament}: {_told(found)}", _told(right))
            return


def _between(logs: Logs, source: str, after: int, upto: int) -> list[DecodedEvent]:
    return [heard for heard in logs.get(source, ()) if after < heard.position <= upto]


def _as_of(logs: Logs, ends: Mapping[str, int]) -> Tournament:
    upto = {source: [one for one in logs.get(source, ()) if one.position <= ends.get(source, 0)] for source in SOURCES}
    return whole(upto)


def _told(value: Any) -> str:
    return f"{value}"[:300] if value is not None else "nothing more"


def _audit_left(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Results that the tournaments have and the season did not take, though it took others long afterwards.

    An export of the season may be from before they were there: those are counted.
    """
    try:
        state = whole(season)
    except CannotFold:  # a finding of the season's own
        return
    latest = {**SEASON.of(state).taken, **SEASON.of(state).told}
    gathered = {
        heard.event.tournament: heard.time
        for heard in season.get("registration", ())
        if isinstance(heard.event, TournamentGathered)
    }
    for tournament in SEASON_ENTRIES.of(state).gathered if state.entries.status != "cancelled" else ():
        logs = tournaments.get(tournament, {})
        if not logs.get("scoring"):
            continue
        end, taken = logs["scoring"][-1], latest.get(tournament)
        # What scoring knew of this tournament for certain when it wrote to its log last, or took its results last.
        known = {**end.known, "scoring": end.position}
        for source, head in taken.heads.items() if taken else ():
            known[source] = max(head.position, known.get(source, 0))
        rows = taken.rows if taken else []
        try:
            if rows == results_of(whole(logs)):
                continue
            due = results_of(_as_of(logs, known))
        except CannotFold:  # a finding of that tournament
            continue
        later = _took_later(season, max(end.time, gathered[tournament])) if rows != due else None
        if later is None:
            findings.counts["results not taken"] += 1
        else:
            said = f"{later.type}, and not the results of {tournament} as of scoring {end.position}, {end.time}"
            findings.fail("results", later, said, "these taken, too")


def _took_later(season: Logs, time: str) -> DecodedEvent | None:
    """The first results that the season took when those of that time were there by every clock."""
    since = moment(time)
    for heard in season.get("scoring", ()):
        now = moment(heard.time)
        if isinstance(heard.event, SeasonResultsTaken) and since and now and now > since + CLOCK_ERROR:
            return heard
    return None


def _audit_said(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Whether a tournament ever said of itself, and of its entries, what the season was told of them."""
    ever: dict[str, Mapping[str, set[Facts]]] = {}
    for commanded in commands_of("registration", season.get("registration", ()), Findings()):
        for tournament, entry, facts in _said(commanded.command):
            logs = tournaments.get(tournament)
            if logs is None:
                findings.counts["entries not at hand"] += bool(entry)
                continue
            if tournament not in ever:
                ever[tournament] = _ever_said(logs)
            findings.counts["entries compared"] += bool(entry)
            known = {one[: len(facts)] for one in ever[tournament].get(entry, ())}
            if facts not in known:
                said = f"{tournament}: {entry or 'itself'} as {', '.join(filter(None, facts))}"
                right = " or ".join(", ".join(filter(None, one)) for one in sorted(known))
                findings.fail("elsewhere", commanded.first, said, right or "nobody")


def _said(command: Any) -> Iterator[tuple[str, str, Facts]]:
    """What a command of a season repeats of other tournaments: which one, which entry (none: of itself), what."""
    if isinstance(command, GatherTournament):
        facts = (command.name, command.format, command.ruleset, command.starts_on, command.own_tier)
        yield command.tournament, "", facts
    elif isinstance(command, ClaimEntries):
        for claim in command.claims:
            yield claim.tournament, claim.entry, (claim.known_as, claim.club, claim.status)
    elif isinstance(command, ClaimByName):
        for one in command.entries:
            yield command.tournament, one.entry, (one.name, one.club, one.status)
    elif isinstance(command, ContinueSeason):
        for player in command.players:
            yield command.season, player.before, (player.name, player.club)


def _ever_said(logs: Logs) -> Mapping[str, set[Facts]]:
    """Everything that registration's log of a tournament said at some time, of itself and of each of its entries."""
    state, found = Tournament(), defaultdict[str, set[Facts]](set)
    for heard in logs.get("registration", ()):
        try:
            take(state, heard)
        except CannotFold:  # a finding of that tournament
            break
        entries = state.entries
        ruleset = str(entries.ruleset.get("id", ""))
        found[""].add((entries.name, entries.format, ruleset, entries.starts_on, entries.tier))
        if player := entries.players.get(getattr(heard.event, "player", "")):
            found[player.id].add((player.name, player.club, player.status))
    for player in state.entries.players.values():
        found[player.id].add((player.name, player.club, player.status))
    return found
