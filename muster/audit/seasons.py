"""A season beside its tournaments: what it says and takes of them is what their logs gave, where these are at hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from muster.audit.decisions import commands_of
from muster.audit.findings import Findings, difference
from muster.audit.logs import earlier
from muster.audit.replay import CannotFold, DecodedEvent, Logs, take, whole
from services.registration.season_identities import ClaimByName, ClaimEntries
from services.registration.season_tournaments import ContinueSeason, GatherTournament
from services.scoring.season_results import Found, TakeResults, causes_of
from shared.formats.options import results_of
from shared.refusals import either, expects
from shared.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.season.state import SeasonResultsTaken
from shared.tournament.state import Tournament

Facts = tuple[str, ...]
"""Of an entry: name, club, status. Of a tournament: name, format, ruleset, day, tier."""


def audit_season(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Compare a season with its tournaments; nothing is compared of a tournament that is no season.

    tournaments: id -> its logs. What the season says of others is counted as not compared.
    """
    try:
        state = whole(season)
    except CannotFold:  # a finding of the season's own
        return
    if state.entries.format != "season":
        return
    _audit_said(season, tournaments, findings)
    latest = _audit_taken(season, tournaments, findings)
    for tournament in SEASON_ENTRIES.of(state).gathered if state.entries.status != "cancelled" else ():
        taken = latest.get(tournament, Found(tournament=tournament, rows=[], heads={}))
        if logs := tournaments.get(tournament):
            _audit_left(season, taken, logs, findings)


def _audit_taken(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> dict[str, Found]:
    """Whether results are those of the logs where they ended, and whether what changed them is named.

    Returns what was taken last of each tournament.
    """
    latest: dict[str, Found] = {}
    for commanded in commands_of("scoring", season.get("scoring", ()), Findings()):
        for found in commanded.command.found if isinstance(commanded.command, TakeResults) else ():
            before = latest.get(found.tournament, replace(found, rows=[], heads={}))
            latest[found.tournament] = found
            if logs := tournaments.get(found.tournament):
                there = (one for one in commanded.events if getattr(one.event, "tournament", "") == found.tournament)
                _compare(next(there), found, before, logs, findings)
            else:
                findings.counts["results not at hand"] += 1
    return latest


def _compare(place: DecodedEvent, found: Found, before: Found, logs: Logs, findings: Findings) -> None:
    findings.counts["results compared"] += 1

    def between(source: str, after: int, upto: int) -> list[DecodedEvent]:
        return [heard for heard in logs.get(source, ()) if after < heard.position <= upto]

    for source, end in found.heads.items():
        there = [heard.hash for heard in between(source, end.position - 1, end.position)]
        if there != [end.hash]:
            said = f"{found.tournament} as of {source} {end.position}, {end.hash}"
            right = expects("hash-in-tournament", hashes=there) if there else expects("event-of-tournament")
            findings.fail("results", place, said, right)
            return
    try:
        rows = results_of(whole(logs, {source: end.position for source, end in found.heads.items()}))
    except CannotFold as stopped:
        findings.fail("results", place, f"results of {found.tournament}; {stopped}", expects("no-results"))
        return
    due = replace(found, rows=rows, causes=causes_of(between, before.heads, found.heads))
    if differs := difference(found, due):
        findings.fail("results", place, f"{found.tournament}: {differs[0]}", expects("value", value=differs[1]))


def _audit_left(season: Logs, taken: Found, logs: Logs, findings: Findings) -> None:
    """Results that a tournament has and the season did not take, though it took others long afterwards.

    An export of the season may be from before they were there: those are counted.
    """
    if not logs.get("scoring"):
        return
    # What scoring knew of this tournament for certain when it wrote to its log last, or took its results last.
    end = logs["scoring"][-1]
    known = {**end.known, "scoring": end.position}
    for source, head in taken.heads.items():
        known[source] = max(head.position, known.get(source, 0))
    try:
        if taken.rows in (results_of(whole(logs)), results_of(whole(logs, known))):
            return
    except CannotFold:  # a finding of that tournament
        return
    since = end.time
    for heard in season.get("registration", ()):
        if isinstance(heard.event, TournamentGathered) and heard.event.tournament == taken.tournament:
            since = max(end.time, heard.time)
    for heard in season.get("scoring", ()):
        if isinstance(heard.event, SeasonResultsTaken) and earlier(since, heard.time):
            said = f"{heard.type}, and not the results of {taken.tournament} as of scoring {end.position}, {end.time}"
            findings.fail("results", heard, said, expects("results-taken-too"))
            return
    findings.counts["results not taken"] += 1


def _audit_said(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Whether a tournament ever said of itself, and of its entries, what the season was told of them."""
    ever = {tournament: _ever_said(logs) for tournament, logs in tournaments.items()}
    for commanded in commands_of("registration", season.get("registration", ()), Findings()):
        for tournament, entry, facts in _said(commanded.command):
            at_hand = tournament in ever
            findings.counts["entries compared" if at_hand else "entries not at hand"] += bool(entry)
            known = {one[: len(facts)] for one in ever[tournament][entry]} if at_hand else {facts}
            if facts not in known:
                said = f"{tournament}: {entry or 'itself'} as {', '.join(filter(None, facts))}"
                facts_of_known = [", ".join(filter(None, one)) for one in sorted(known)]
                right = either(facts_of_known) if any(facts_of_known) else expects("nobody")
                findings.fail("elsewhere", commanded.first, said, right)


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


def _ever_said(logs: Logs) -> defaultdict[str, set[Facts]]:
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
