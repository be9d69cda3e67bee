"""Seasons: gathering and releasing tournaments, divisions, continuing an earlier season."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Annotated

from msgspec import Struct

from services.registration.guards import PlayerUnknown
from services.registration.players import Entry, JoinPlayers, join
from shared.formats.options import formats_with_results
from shared.log.event import Event
from shared.names import normalize_name
from shared.refusals import Fault, Refusal, expects, one_of
from shared.rules.parts import or_option
from shared.season.entries import (
    SEASON_ENTRIES,
    DivisionEntered,
    PlayerCarriedOver,
    TournamentGathered,
    TournamentReleased,
    season_of,
)
from shared.season.ruleset import SeasonRuleset
from shared.shapes import Command, Id, Name, OptionalReason, Reason, Shape, Size, Whole
from shared.tournament.guards import Context, require_announced, require_running
from shared.tournament.registration import PlayerJoined, PlayerWaitlisted
from shared.tournament.state import Tournament
from shared.web.refusals import InvalidRequest

MAX_CLAIMS = 500


class TournamentToGather(Shape, frozen=True, kw_only=True):
    """A tournament that the season will count."""

    tournament: Id
    played_on: Annotated[date | None, "The day that orders it among the others. Default: its first day."] = None
    division: Annotated[str, Name()] = ""
    tier: Annotated[
        str, Name(), "A tier with a weight in the season. Default: the tournament's own, if it has one."
    ] = ""
    weight: Annotated[int | None, Whole(1, 10_000), "In per cent."] = None


class GatherTournament(TournamentToGather, Command, frozen=True, kw_only=True):
    """Count a tournament in the season.

    The service adds the other members: name, format, ruleset, starts_on and own_tier from the announcement, status from
    the directory. They stay empty if the caller may not read the tournament.
    """

    name: str = ""
    format: str = ""
    ruleset: str = ""
    starts_on: str = ""
    own_tier: str = ""
    status: str = ""


class ReleaseTournament(Command, frozen=True, kw_only=True):
    """Stop counting a tournament in the season."""

    gathered: Id
    reason: Annotated[Reason, "Public."]


class EnterDivision(Command, frozen=True, kw_only=True):
    """Put players into a division."""

    division: Annotated[str, Name()]
    players: Annotated[list[Id], Size(MAX_CLAIMS, 1)]
    reason: OptionalReason = ""


class Carried(Struct, frozen=True, kw_only=True):
    """A player of an earlier season who joins this one."""

    before: str
    name: str
    club: str = ""
    division: str = ""
    external_id: str = ""


class ContinueSeason(Command, frozen=True, kw_only=True):
    """Enter the players of an earlier season. The service adds the other members from that season."""

    season: Id
    format: str = ""
    status: str = ""
    players: list[Carried] = []


class TournamentNotGathered(Refusal):
    """The season does not count this tournament."""

    code = "tournament-not-gathered"


class TournamentCannotBeGathered(Refusal):
    """The tournament does not exist, is cancelled, is private, or has a format that seasons do not count."""

    code = "tournament-not-for-season"


class AlreadyGathered(Refusal):
    """The season already counts this tournament."""

    code = "tournament-gathered"


class DivisionUnknown(Refusal):
    """The season has no such division."""

    code = "division-unknown"


class SeasonNotOver(Refusal):
    """The earlier season has not ended, or is not a season."""

    code = "season-not-over"


def gather(state: Tournament, command: GatherTournament, context: Context) -> Sequence[Event]:
    """Count a tournament in the season. It may be announced, running or concluded, but not a season."""
    require_running(state)
    rules = season_of(state.entries)
    if command.tournament in SEASON_ENTRIES.of(state).gathered:
        raise AlreadyGathered(f"The season has gathered {command.tournament} already.", tournament=command.tournament)
    _refuse_tournament(command)
    _refuse_division(rules, command.division, "/division")
    tiers = list(rules.weights.tiers)
    if command.tier and command.tier not in tiers:
        fault = Fault("/tier", command.tier, one_of(tiers) if tiers else expects("no-tiers"))
        raise InvalidRequest("The season has no weight for this tier.", [fault])
    if command.weight is not None and not rules.weights.by_hand:
        clause = rules.weights.cites("by_hand")
        no_weight = expects("no-weight-by-hand")
        expected = or_option(no_weight, rules, "/weights/by_hand", lambda by_hand: by_hand is True)
        fault = Fault("/weight", str(command.weight), expected, clause)
        raise InvalidRequest("This season does not accept weights by hand.", [fault])
    played_on = command.played_on.isoformat() if command.played_on else command.starts_on
    return [
        TournamentGathered(
            tournament=command.tournament,
            name=command.name,
            format=command.format,
            ruleset=command.ruleset,
            played_on=played_on or context.now[:10],
            division=command.division,
            tier=command.tier or (command.own_tier if command.own_tier in tiers else ""),
            weight=command.weight,
        )
    ]


def _refuse_tournament(command: GatherTournament) -> None:
    if not command.status:
        fault = Fault("/tournament", command.tournament, expects("tournament-of-directory"))
        raise TournamentCannotBeGathered(f"No tournament has the id {command.tournament}.", [fault])
    counted = formats_with_results()
    if command.format not in counted:
        expected = expects("tournament-of-format", formats=list(counted))
        raise TournamentCannotBeGathered(
            f"{command.name} is of the format {command.format}.", [Fault("/tournament", command.tournament, expected)]
        )
    if command.status == "cancelled":
        fault = Fault("/tournament", command.tournament, expects("tournament-not-cancelled"))
        raise TournamentCannotBeGathered(f"{command.name} was cancelled.", [fault])


def _refuse_division(rules: SeasonRuleset, division: str, where: str) -> None:
    names = rules.division_names
    if division and division not in names:
        expected = one_of(list(names)) if names else expects("no-divisions")
        raise DivisionUnknown(f"There is no division {division}.", [Fault(where, division, expected)])


def release(state: Tournament, command: ReleaseTournament, context: Context) -> Sequence[Event]:
    """Stop counting a tournament. It can be gathered again, and its claims are kept."""
    require_running(state)
    if command.gathered not in SEASON_ENTRIES.of(state).gathered:
        raise not_gathered(command.gathered, "/gathered")
    return [TournamentReleased(tournament=command.gathered, reason=command.reason)]


def not_gathered(tournament: str, where: str = "/tournament") -> TournamentNotGathered:
    """Return the refusal for a tournament that the season does not count."""
    fault = Fault(where, tournament, expects("tournament-of-season"))
    return TournamentNotGathered(f"The season does not count {tournament}.", [fault])


def enter_division(state: Tournament, command: EnterDivision, context: Context) -> Sequence[Event]:
    """Put players into a division. Their earlier results count there too."""
    entries = require_running(state)
    season = SEASON_ENTRIES.of(state)
    _refuse_division(season_of(entries), command.division, "/division")
    faults = [
        Fault(f"/players/{index}", player, expects("unmerged-player"))
        for index, player in enumerate(command.players)
        if player not in entries.players or player in season.merged
    ]
    if faults:
        raise PlayerUnknown("Not all of these are players of this season.", faults)
    players = [player for player in command.players if season.divisions.get(player) != command.division]
    if not players:
        return []
    return [DivisionEntered(division=command.division, players=players, reason=command.reason)]


def free_id(state: Tournament, external_id: str) -> str:
    """Return the external id for a new player of the season; empty if another player has it."""
    taken = {normalize_name(player.external_id) for player in state.entries.players.values()}
    return "" if normalize_name(external_id) in taken else external_id


def continue_season(state: Tournament, command: ContinueSeason, context: Context) -> Sequence[Event]:
    """Enter the players of an earlier season, each in the division that its end assigned.

    Players who were carried over before are skipped.
    """
    rules = season_of(require_announced(state))
    if command.format != "season" or command.status != "concluded":
        fault = Fault("/season", command.season, expects("concluded-season"))
        detail = f"{command.season} is no season that has ended: it is {command.format}, {command.status}."
        raise SeasonNotOver(detail, [fault])
    carried = {before for season, before in SEASON_ENTRIES.of(state).before.values() if season == command.season}
    new = [player for player in command.players if player.before not in carried]
    if not new:
        return []
    entries = [
        Entry(name=player.name, club=player.club, external_id=free_id(state, player.external_id)) for player in new
    ]
    joined = join(state, JoinPlayers(entries=entries), context)
    ids = [event.player for event in joined if isinstance(event, PlayerJoined | PlayerWaitlisted)]
    events: list[Event] = list(joined)
    events += [
        PlayerCarriedOver(player=id, season=command.season, before=player.before)
        for id, player in zip(ids, new, strict=True)
    ]
    for division in rules.division_names:
        players = [id for id, player in zip(ids, new, strict=True) if player.division == division]
        if players:
            reason = f"where the season {command.season} put them"
            events.append(DivisionEntered(division=division, players=players, reason=reason))
    return events


LINKS: Mapping[str, tuple[str, str]] = MappingProxyType({})
ON_PURPOSE: Collection[str] = ()
