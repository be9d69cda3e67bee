"""Decisions before a game of a campaign: who plays, what jams, who is evil, and the objective. FS-GAM-1 to FS-GAM-5."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.campaign.commands import JudgeEvil, MusterGroup, RollJams, RollObjective
from services.scoring.campaign.round_decision import RoundDecision
from services.scoring.tournament.refusals import AlreadyRolled, GroupUnknown, NotMustered, NotYourGame, ResultExists
from services.scoring.tournament.state import named, open_game
from shared.campaign import muster as before
from shared.campaign.dice import SERVICE, RollPurpose, RollTold, Thrown
from shared.campaign.facts import rivals_of
from shared.campaign.league import mustered_for, sides_of
from shared.campaign.state import Mustered
from shared.campaign.words import StepRefused
from shared.log.event import Event
from shared.refusals import Fault, expects, one_of
from shared.tournament.guards import Context
from shared.tournament.rounds import Seat
from shared.tournament.state import Tournament

OfSide = MusterGroup | RollJams | JudgeEvil | RollObjective


class Side:
    """One side of a game that is still to be played, and the decision about it as it goes along."""

    def __init__(self, state: Tournament, command: OfSide, context: Context, cause: str) -> None:
        """Raises GameUnknown, NotYourGame, GroupUnknown, ResultExists, StepRefused."""
        _, self.seat = open_game(state, command.game)
        self.id = _side_of(self.seat, command.group, context)
        known = state.results.results.get(command.game)
        if known is not None:
            raise ResultExists(f"{command.game} is {known.status}; its preparation is over.", status=known.status)
        self.builder = RoundDecision(state, context, cause)
        self.group = self.builder.known(self.id)
        self.rivals = rivals_of(sides_of(self.seat), self.id)
        if self.group.phase is not None:
            phase = self.group.phase
            expected = expects("group-past-phase", step=phase.step, round=phase.round)
            fault = Fault("/group", self.id, expected, "FS-RND-1")
            raise StepRefused("The group is still in its post-game phase.", [fault], open=phase.step)
        self.mustered = mustered_for(state, command.game, self.id)

    def need_mustered(self) -> Mustered:
        """The group as it was mustered for this game. Raises NotMustered."""
        if self.mustered is None:
            fault = Fault("/group", self.id, expects("mustered-group"), "FS-GAM-1")
            raise NotMustered(f"{self.id} has not said who plays in {self.seat.game}.", [fault])
        return self.mustered


def muster(state: Tournament, command: MusterGroup, context: Context) -> Sequence[Event]:
    """Who plays. Said anew it holds instead, until dice were rolled for it; after that by staff, and they roll again.

    Source: FS-GAM-1, FS-GAM-2.
    """
    side = Side(state, command, context, "muster")
    known = side.mustered
    fielded = tuple(command.fielded)
    if known is not None and known.fielded == fielded:
        return []
    if known is not None and not context.by.staff and (known.jammed or known.objective or known.judged):
        raise AlreadyRolled("Dice were rolled for this muster; only staff can change it now.", result="mustered")
    outcome = before.muster(side.builder.rules, side.group, fielded)
    side.builder.say(replace(outcome, game=side.seat.game), group=side.id)
    return side.builder.ended()


def roll_jams(state: Tournament, command: RollJams, context: Context) -> Sequence[Event]:
    """Whether one ranged weapon works in this game, or each that has not been rolled for. FS-GAM-3."""
    side = Side(state, command, context, "jam")
    mustered = side.need_mustered()
    rules, builder = side.builder.rules, side.builder
    if command.item in mustered.jammed:
        said = "jammed" if mustered.jammed[command.item] else "works"
        raise AlreadyRolled(f"The die for {command.item} has been rolled.", result=said)
    due = [item.id for item in before.jam_rolls_due(rules, side.group, mustered.fielded)]
    wanted = [command.item] if command.item else [item for item in due if item not in mustered.jammed]
    dice_source = builder.dice_source(builder.present_at(side.id), roller=context.by.player)
    for item in wanted:
        told = (command.roll if command.item else None) or SERVICE
        thrown = dice_source.made(told, "1D12", RollPurpose(side.id, "FS-GAM-3", item), where="/roll")
        builder.say(*before.roll_jam(rules, side.group, mustered.fielded, item, thrown), group=side.id)
    return builder.ended() if wanted else []


def judge_evil(state: Tournament, command: JudgeEvil, context: Context) -> Sequence[Event]:
    """Whether a rival counts as evil in this game, where one force judges the other: a die for each. FS-GAM-4."""
    side = Side(state, command, context, "evil")
    judged, rules = side.need_mustered().judged, side.builder.rules
    rivals = {id: side.builder.known(id) for id in side.rivals}
    if command.rival and command.rival not in rivals:
        fault = Fault("/rival", command.rival, expects("rival-of-game", rivals=list(rivals)), "FS-GAM-4")
        raise GroupUnknown(f"{command.rival} is no rival of {side.id} in {side.seat.game}.", [fault])
    due = [id for id in rivals if id not in judged and before.judges(rules, side.group, rivals[id])]
    rival = command.rival or next(iter([*due, *judged, *rivals]))
    if rival in judged:
        raise AlreadyRolled(f"{rival} has been judged already.", result="evil" if judged[rival] else "not evil")
    thrown = _thrown(side, command.roll, context, RollPurpose(side.id, "FS-GAM-4", rival))
    side.builder.say(*before.judge_evil(rules, side.group, rivals[rival], thrown), group=side.id)
    return side.builder.ended()


def roll_objective(state: Tournament, command: RollObjective, context: Context) -> Sequence[Event]:
    """The objective of one side, rolled openly. FS-GAM-5."""
    side = Side(state, command, context, "objective")
    mustered = side.need_mustered()
    if mustered.objective:
        raise AlreadyRolled("The objective has been rolled.", result=mustered.objective)
    thrown = _thrown(side, command.roll, context, RollPurpose(side.id, "FS-GAM-5"))
    side.builder.say(*before.roll_objective(side.builder.rules, thrown), group=side.id)
    return side.builder.ended()


def _thrown(side: Side, told: RollTold | None, context: Context, asked: RollPurpose) -> Thrown:
    dice_source = side.builder.dice_source(side.builder.present_at(side.id), roller=context.by.player)
    return dice_source.made(told or SERVICE, "1D12", asked, where="/roll")


def _side_of(seat: Seat, group: str, context: Context) -> str:
    """The group of a game that is spoken of. Raises GroupUnknown, NotYourGame."""
    by = context.by
    if not by.staff and by.player not in seat.players:
        raise NotYourGame(f"{seat.game} is a game of {named(seat)}.")
    id = group or by.player
    if id not in seat.players:
        fault = Fault("/group", id or "nothing", one_of(seat.players), "FS-GAM-1")
        raise GroupUnknown(f"{seat.game} is played by {named(seat)}.", [fault])
    if not by.staff and id != by.player:
        raise NotYourGame(f"{id} is not the group of {by.player}.")
    return id
