"""Decisions before a game of a campaign: who plays, what jams, who is evil, and the objective. FS-GAM-1 to FS-GAM-5."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from services.scoring.domain import game_commands as ask
from services.scoring.domain.campaign import Telling
from services.scoring.domain.refusals import AlreadyRolled, GroupUnknown, NotMustered, NotYourGame, ResultExists
from services.scoring.domain.state import open_game
from shared.events.base import Event
from shared.events.pairing import Seat
from shared.handling.context import Context
from shared.refusals import Fault
from shared.rules.campaign import muster as before
from shared.rules.campaign.dice import Thrown
from shared.rules.campaign.refusals import StepRefused
from shared.rules.campaign.rolling import SERVICE, Told
from shared.state.campaign import Mustered
from shared.state.league import mustered_for
from shared.state.tournament import Tournament

OfSide = ask.MusterGroup | ask.RollJams | ask.JudgeEvil | ask.RollObjective


class Side:
    """One side of a game that is still to be played, and the decision about it as it goes along."""

    def __init__(self, state: Tournament, command: OfSide, context: Context, cause: str) -> None:
        """Raises GameUnknown, NotYourGame, GroupUnknown, ResultExists, StepRefused."""
        _, self.seat = open_game(state, command.game)
        self.id = _side_of(self.seat, command.group, context)
        known = state.results.results.get(command.game)
        if known is not None:
            raise ResultExists(f"{command.game} is {known.status}; what comes before it is over.", status=known.status)
        self.telling = Telling(state, context, cause)
        self.group = self.telling.group(self.id)
        self.rival = self.telling.group(next(one for one in self.seat.players if one != self.id))
        if self.group.phase is not None:
            said = f"step {self.group.phase.step} of round {self.group.phase.round}"
            fault = Fault("/group", said, "step 9 closed", "FS-RND-1")
            raise StepRefused("The group is still in its post-game phase.", [fault], open=self.group.phase.step)
        self.mustered = mustered_for(state, command.game, self.id)

    def need_mustered(self) -> Mustered:
        """The group as it was mustered for this game. Raises NotMustered."""
        if self.mustered is None:
            fault = Fault("/group", f"{self.id} is not mustered", "the members who play", "FS-GAM-1")
            raise NotMustered(f"{self.id} has not said who plays in {self.seat.game}.", [fault])
        return self.mustered


def muster(state: Tournament, command: ask.MusterGroup, context: Context) -> Sequence[Event]:
    """Who plays. Said anew it holds instead, until dice were rolled for it; after that by staff, and they roll again.

    Source: FS-GAM-1, FS-GAM-2.
    """
    side = Side(state, command, context, "muster")
    known = side.mustered
    fielded = tuple(command.fielded)
    if known is not None and known.fielded == fielded:
        return []
    if known is not None and not context.by.staff and (known.jammed or known.objective or known.evil is not None):
        raise AlreadyRolled("Dice were rolled for this muster; staff may let it be made anew.", result="mustered")
    outcome = before.muster(side.telling.rules, side.group, fielded)
    side.telling.say(side.id, [replace(outcome, game=side.seat.game)])
    return side.telling.ended()


def roll_jams(state: Tournament, command: ask.RollJams, context: Context) -> Sequence[Event]:
    """Whether one ranged weapon works in this game, or each that has not been rolled for. FS-GAM-3."""
    side = Side(state, command, context, "jam")
    mustered = side.need_mustered()
    rules, telling = side.telling.rules, side.telling
    if command.item in mustered.jammed:
        said = "jammed" if mustered.jammed[command.item] else "works"
        raise AlreadyRolled(f"The die for {command.item} is rolled.", result=said)
    due = [item.id for item in before.jam_rolls_due(rules, side.group, mustered.fielded)]
    wanted = [command.item] if command.item else [item for item in due if item not in mustered.jammed]
    cup = telling.cup(telling.present_at(side.id), roller=context.by.player)
    for item in wanted:
        thrown = cup.made(command.roll if command.item else SERVICE, "1D12", where="/roll")
        telling.say(side.id, before.roll_jam(rules, side.group, mustered.fielded, item, thrown))
    return telling.ended() if wanted else []


def judge_evil(state: Tournament, command: ask.JudgeEvil, context: Context) -> Sequence[Event]:
    """Whether the rival counts as evil in this game, where one force judges the other. FS-GAM-4."""
    side = Side(state, command, context, "evil")
    mustered = side.need_mustered()
    if mustered.evil is not None:
        raise AlreadyRolled("The rival is judged.", result="evil" if mustered.evil else "not evil")
    thrown = _thrown(side, command.roll, context)
    side.telling.say(side.id, before.judge_evil(side.telling.rules, side.group, side.rival, thrown))
    return side.telling.ended()


def roll_objective(state: Tournament, command: ask.RollObjective, context: Context) -> Sequence[Event]:
    """The objective of one side, rolled openly. FS-GAM-5."""
    side = Side(state, command, context, "objective")
    mustered = side.need_mustered()
    if mustered.objective:
        raise AlreadyRolled("The objective is rolled.", result=mustered.objective)
    thrown = _thrown(side, command.roll, context)
    side.telling.say(side.id, before.roll_objective(side.telling.rules, thrown))
    return side.telling.ended()


def _thrown(side: Side, told: Told, context: Context) -> Thrown:
    cup = side.telling.cup(side.telling.present_at(side.id), roller=context.by.player)
    return cup.made(told, "1D12", where="/roll")


def _side_of(seat: Seat, group: str, context: Context) -> str:
    """The group of a game that is spoken of. Raises GroupUnknown, NotYourGame."""
    by = context.by
    if not by.staff and by.player not in seat.players:
        raise NotYourGame(f"{seat.game} is a game of {seat.player_1} and {seat.player_2}.")
    id = group or by.player
    if id not in seat.players:
        fault = Fault("/group", id or "nobody", f"{seat.player_1} or {seat.player_2}", "FS-GAM-1")
        raise GroupUnknown(f"{seat.game} is played by {seat.player_1} and {seat.player_2}.", [fault])
    if not by.staff and id != by.player:
        raise NotYourGame(f"{id} is not the group of {by.player}.")
    return id
