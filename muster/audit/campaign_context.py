"""What a decision of a campaign was made on, as the logs tell it just before, and what came of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from muster.audit.replay import DecodedEvent
from shared.formats.campaign.enlisted import ENLISTED
from shared.formats.campaign.league import (
    GAME,
    absent_from,
    before_building,
    building_round,
    due_to_enter,
    playing,
    report_of,
    round_at_hand,
    seat_of,
    sides_of,
)
from shared.formats.campaign.rules.choices.choice import Rival
from shared.formats.campaign.rules.dice import DieRolled, Thrown
from shared.formats.campaign.rules.dice_source import DiceSource
from shared.formats.campaign.rules.outcomes import GroupAccepted
from shared.formats.campaign.rules.recruits import RecruitPool
from shared.formats.campaign.rules.refusals import DiceRefused
from shared.formats.campaign.rules.reported import GameReport
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sides import Sides
from shared.formats.campaign.rules.tables import Rules
from shared.formats.campaign.rules.words import CampaignEvent
from shared.formats.campaign.ruleset import campaign_of, versions_at
from shared.formats.campaign.state import CAMPAIGN
from shared.refusals import Fault
from shared.tournament.events.pairing import Seat
from shared.tournament.events.scoring import ResultCorrected, ResultReported, ResultRuled
from shared.tournament.state import Tournament


class AuditContext(Struct, frozen=True, kw_only=True):
    """What a decision was made on, and what came of it.

    group: whom it is about, as it was before; told: the events about it that one command has from here on, the
    decision's first. groups: all of them, now. seed: of the command; pot: of the round. built: the group as it was
    built; before: as it was before its game. game: its id; mustered: who plays. recruiting: groups whose recruits are
    due. report: of its game, as it binds; unplayed: the ending where nobody played it; sides: who stands with whom
    there; met: all its groups as they went into it, fielded: with whom. rivals: of the game, with those who died since.
    jailed: rolls that sent somebody to jail -> who has to be paid for that. made: rolls before this command; versions:
    of the rules.
    """

    rules: Rules
    group: Group
    round: int
    told: Sequence[CampaignEvent]
    seed: str
    pot: str = ""
    groups: Mapping[str, Group] = {}
    unplayed: str = "bye"
    built: Group | None = None
    before: Group | None = None
    game: str = ""
    mustered: tuple[str, ...] = ()
    recruiting: Mapping[str, Group] = {}
    pool: RecruitPool | None = None
    report: GameReport | None = None
    sides: Sides = ()
    met: Mapping[str, Group] = {}
    fielded: Mapping[str, Collection[str]] = {}
    rivals: tuple[Rival, ...] = ()
    jailed: Mapping[str, str] = {}
    made: int = 0
    versions: str = ""

    @property
    def head(self) -> CampaignEvent | None:
        """The first event that is no roll."""
        return next((event for event in self.told if not isinstance(event, DieRolled)), None)

    def dice(self) -> DiceSource:
        """The dice of the decision, as they fell."""
        return _AsTheyFell(self.told)


class _AsTheyFell(DiceSource):
    """Dice on record, in their order."""

    def __init__(self, told: Sequence[CampaignEvent]) -> None:
        super().__init__("", 0, "", ())
        self._fallen = iter([as_thrown(event) for event in told if isinstance(event, DieRolled)])

    def next(self, expression: str, replaces: str = "") -> Thrown:
        """The next roll on record. Raises DiceRefused when there is none."""
        thrown = next(self._fallen, None)
        if thrown is None:
            fault = Fault("/rolls", "no roll", expression, "FS-AUD-2")
            raise DiceRefused(f"{expression} has to be rolled", [fault], expression=expression)
        return thrown


def as_thrown(rolled: DieRolled) -> Thrown:
    """What lay on the table, of a roll that was recorded."""
    return Thrown(
        rolled.roll,
        rolled.dice,
        rolled.replaces,
        rolled.source,
        rolled.rolled_by,
        rolled.witnessed_by,
        rolled.seed,
        rolled.versions,
    )


def as_recorded(report: Any, told: Any) -> Any:
    """A part of a report with its rolls as they were recorded, where these are the same: left to the service, or with
    the same faces. Nothing else of it is taken over."""
    if isinstance(report, Thrown) and isinstance(told, Thrown):
        return told if not report.dice or report.dice == told.dice else report
    if isinstance(report, tuple) and isinstance(told, tuple) and len(report) == len(told):
        return tuple(map(as_recorded, report, told))
    if isinstance(report, Struct) and type(report) is type(told):
        names = report.__struct_fields__
        return replace(report, **{name: as_recorded(getattr(report, name), getattr(told, name)) for name in names})
    return report


def context_of(
    log: Sequence[DecodedEvent],
    index: int,
    told: Sequence[CampaignEvent],
    state: Tournament,
    seed: str,
    jailed: Mapping[str, str],
) -> AuditContext:
    """The context of the decision that begins with an event. told: what its command says of the group from there on."""
    heard = log[index]
    event = heard.event
    assert isinstance(event, CampaignEvent)
    number = round_of(heard.source, state)
    rules = campaign_of(state.entries, number)
    if heard.source == "registration":
        group = ENLISTED.of(state).groups.get(event.group) or Group(event.group, "")
        if isinstance(told[0], GroupAccepted):
            group = before_building(state, event.group)
        return AuditContext(rules=rules, group=group, round=number, told=told, seed=seed)
    living, round = CAMPAIGN.of(state), state.rounds.rounds.get(number)
    group = living.groups.get(event.group) or Group(event.group, "")
    context = AuditContext(
        rules=rules,
        group=group,
        round=number,
        told=told,
        seed=seed,
        pot=round.seed if round else "",
        groups=living.groups,
        pool=living.pool,
        jailed=jailed,
        made=living.rolled,
        versions=versions_at(state.entries, number),
        built=due_to_enter(state).get(event.group),
        before=living.before.get(event.group),
        recruiting={} if event.group else {id: one for id, one in playing(state).items() if one.phase is not None},
    )
    if group.phase is not None:
        met = [living.groups[id] for id in group.phase.played.rivals if id in living.groups]
        return replace(context, rivals=tuple(Rival(one, tuple(living.died.get(one.id, ()))) for one in met))
    seat = seat_of(state, event.group)
    return context if seat is None else _before_the_game(context, seat, log, index, state)


def _before_the_game(
    context: AuditContext, seat: Seat, log: Sequence[DecodedEvent], index: int, state: Tournament
) -> AuditContext:
    mustered = CAMPAIGN.of(state).mustered
    known = {id: mustered[id].fielded for id in seat.players if id in mustered}
    facts = _facts_told(log, index, state, seat)
    away = context.group.id in absent_from(seat, facts) if facts else False
    return replace(
        context,
        game=seat.game,
        unplayed="no_show" if away else "bye",
        mustered=known.get(context.group.id, ()),
        report=report_of(facts) if facts and facts.get("kind") == GAME else None,
        sides=sides_of(seat),
        met=_met(state, seat),
        fielded=known,
    )


def _met(state: Tournament, seat: Seat) -> dict[str, Group]:
    """All groups of a game as they were before it; a weapon that jammed counts as not carried. FS-GAM-3, FS-REP-4."""
    number, living = round_at_hand(state), CAMPAIGN.of(state)
    found = {}
    for id in seat.players:
        group = living.groups.get(id)
        if group is not None and group.phase is not None and group.phase.round == number:
            group = living.before.get(id, group)
        if group is not None:
            jammed = living.mustered[id].jammed if id in living.mustered else {}
            items = tuple(replace(item, holder="") if jammed.get(item.id) else item for item in group.items)
            found[id] = replace(group, items=items)
    return found


def round_of(source: str, state: Tournament) -> int:
    """The round that what a log says now belongs to."""
    return building_round(state) if source == "registration" else round_at_hand(state)


def _facts_told(log: Sequence[DecodedEvent], index: int, state: Tournament, seat: Seat) -> dict[str, Any] | None:
    """The facts of a game as they bind: said in the same command, or before."""
    facts = state.results.results[seat.game].facts if seat.game in state.results.results else None
    for heard in log[index:]:
        if heard.command_id != log[index].command_id:
            break
        event: Any = heard.event
        if isinstance(event, ResultReported | ResultRuled | ResultCorrected) and event.game == seat.game:
            facts = event.facts
    return facts
