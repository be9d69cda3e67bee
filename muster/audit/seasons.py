"""The audit of a season against its tournaments: the results and facts that it took, compared with their logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from muster.audit.decisions import commands_of
from muster.audit.findings import Findings, difference
from muster.audit.logs import is_clearly_earlier
from muster.audit.replay import CannotFold, DecodedEvent, Logs, fold_logs, take
from services.registration.season_identities import ClaimByName, ClaimEntries
from services.registration.season_tournaments import ContinueSeason, GatherTournament
from services.scoring.season_results import CurrentResults, TakeResults, causes_of
from shared.formats.options import results_of
from shared.refusals import either, expects
from shared.season.entries import SEASON_ENTRIES, TournamentGathered
from shared.season.state import SeasonResultsTaken
from shared.tournament.state import Tournament

Facts = tuple[str, ...]
"""For an entry: name, club, status. For a tournament: name, format, ruleset, day, tier."""


def audit_season(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Compare a season with its tournaments. Do nothing for a tournament that is not a season.

    tournaments: id -> its logs. Tournaments without logs are counted as not compared.
    """
    try:
        state = fold_logs(season)
    except CannotFold:  # reported by the audit of the season itself
        return
    if state.entries.format != "season":
        return
    _audit_statements(season, tournaments, findings)
    latest = _audit_results(season, tournaments, findings)
    for tournament in SEASON_ENTRIES.of(state).gathered if state.entries.status != "cancelled" else ():
        taken = latest.get(tournament, CurrentResults(tournament=tournament, rows=[], heads={}))
        if logs := tournaments.get(tournament):
            _audit_missing_results(season, taken, logs, findings)


def _audit_results(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> dict[str, CurrentResults]:
    """Check that the results taken are those of the tournaments' logs, with the events that changed them.

    Returns the results that were taken last, by tournament.
    """
    latest: dict[str, CurrentResults] = {}
    for recorded_command in commands_of("scoring", season.get("scoring", ()), Findings()):
        for found in recorded_command.command.found if isinstance(recorded_command.command, TakeResults) else ():
            before = latest.get(found.tournament, replace(found, rows=[], heads={}))
            latest[found.tournament] = found
            if logs := tournaments.get(found.tournament):
                there = (
                    one for one in recorded_command.events if getattr(one.event, "tournament", "") == found.tournament
                )
                _compare(next(there), found, before, logs, findings)
            else:
                findings.counts["results not at hand"] += 1
    return latest


def _compare(
    place: DecodedEvent, found: CurrentResults, before: CurrentResults, logs: Logs, findings: Findings
) -> None:
    findings.counts["results compared"] += 1

    def between(source: str, after: int, upto: int) -> list[DecodedEvent]:
        return [decoded for decoded in logs.get(source, ()) if after < decoded.position <= upto]

    for source, end in found.heads.items():
        there = [decoded.hash for decoded in between(source, end.position - 1, end.position)]
        if there != [end.hash]:
            said = f"{found.tournament} as of {source} {end.position}, {end.hash}"
            right = expects("hash-in-tournament", hashes=there) if there else expects("event-of-tournament")
            findings.fail("results", place, said, right)
            return
    try:
        rows = results_of(fold_logs(logs, {source: end.position for source, end in found.heads.items()}))
    except CannotFold as stopped:
        findings.fail("results", place, f"results of {found.tournament}; {stopped}", expects("no-results"))
        return
    due = replace(found, rows=rows, causes=causes_of(between, before.heads, found.heads))
    if differs := difference(found, due):
        findings.fail("results", place, f"{found.tournament}: {differs[0]}", expects("value", value=differs[1]))


def _audit_missing_results(season: Logs, taken: CurrentResults, logs: Logs, findings: Findings) -> None:
    """Report results of a tournament that the season did not take although it took others long afterwards.

    Results that are newer than the export of the season are only counted.
    """
    if not logs.get("scoring"):
        return
    # The positions that scoring had certainly seen when it appended last, or took results last.
    end = logs["scoring"][-1]
    known = {**end.known, "scoring": end.position}
    for source, head in taken.heads.items():
        known[source] = max(head.position, known.get(source, 0))
    try:
        if taken.rows in (results_of(fold_logs(logs)), results_of(fold_logs(logs, known))):
            return
    except CannotFold:  # reported by the audit of that tournament
        return
    since = end.time
    for decoded in season.get("registration", ()):
        if isinstance(decoded.event, TournamentGathered) and decoded.event.tournament == taken.tournament:
            since = max(end.time, decoded.time)
    for decoded in season.get("scoring", ()):
        if isinstance(decoded.event, SeasonResultsTaken) and is_clearly_earlier(since, decoded.time):
            said = f"{decoded.type}, and not the results of {taken.tournament} as of scoring {end.position}, {end.time}"
            findings.fail("results", decoded, said, expects("results-taken-too"))
            return
    findings.counts["results not taken"] += 1


def _audit_statements(season: Logs, tournaments: Mapping[str, Logs], findings: Findings) -> None:
    """Check that each fact that the season repeats was in the log of its tournament at some time."""
    ever = {tournament: _facts_over_time(logs) for tournament, logs in tournaments.items()}
    for recorded_command in commands_of("registration", season.get("registration", ()), Findings()):
        for tournament, entry, facts in _facts_in_command(recorded_command.command):
            at_hand = tournament in ever
            findings.counts["entries compared" if at_hand else "entries not at hand"] += bool(entry)
            known = {one[: len(facts)] for one in ever[tournament][entry]} if at_hand else {facts}
            if facts not in known:
                said = f"{tournament}: {entry or 'itself'} as {', '.join(filter(None, facts))}"
                facts_of_known = [", ".join(filter(None, one)) for one in sorted(known)]
                right = either(facts_of_known) if any(facts_of_known) else expects("nobody")
                findings.fail("elsewhere", recorded_command.first, said, right)


def _facts_in_command(command: Any) -> Iterator[tuple[str, str, Facts]]:
    """Yield tournament, entry (empty: the tournament itself) and the facts that a command of a season repeats."""
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


def _facts_over_time(logs: Logs) -> defaultdict[str, set[Facts]]:
    """Return all facts that registration's log ever had, by entry; the empty entry is the tournament itself."""
    state, found = Tournament(), defaultdict[str, set[Facts]](set)
    for decoded in logs.get("registration", ()):
        try:
            take(state, decoded)
        except CannotFold:  # reported by the audit of that tournament
            break
        entries = state.entries
        ruleset = str(entries.ruleset.get("id", ""))
        found[""].add((entries.name, entries.format, ruleset, entries.starts_on, entries.tier))
        if player := entries.players.get(getattr(decoded.event, "player", "")):
            found[player.id].add((player.name, player.club, player.status))
    for player in state.entries.players.values():
        found[player.id].add((player.name, player.club, player.status))
    return found
