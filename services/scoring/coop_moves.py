"""Decisions about moves at a co-operative table: what each does, in the order of the sheet, and what it may end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from services.scoring.coop.activation import card_revealed, enemies_activated, first_player, opposing_activated
from services.scoring.coop.commands import PlayMoves
from services.scoring.coop.table import SessionBuilder, playing, survivor_at
from services.scoring.coop.unranked_moves import assisted, modification_kept, travelled
from services.scoring.tournament.refusals import MoveImpossible, OtherDetail, SessionEnded
from shared.coop import events, moves
from shared.coop.moves import drawn_goals
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.tournament.guards import Context
from shared.tournament.state import Tournament


def play(state: Tournament, command: PlayMoves, context: Context) -> Sequence[Event]:
    """Moves at one moment, in their order: all of them or none and the fault of the first that cannot be.

    The first that ends the session ends it; a move behind it is refused (AB-PWR-4, AB-END-3). Where the ruleset
    settles endings that meet, the moves of one request are that moment (AB-AMB-4). AB-REP-1.
    """
    builder = playing(state, command.session, context)
    if builder.ruleset.play.detail != "steps":
        detail = (
            "This event takes one report of a whole session, and no moves without the option ab.report.detail=steps."
        )
        raise OtherDetail(detail, clause="AB-REP-1")
    for index, move in enumerate(command.moves):
        if builder.over:
            ended = builder.session.ended
            outcome = ended.outcome if ended else ""
            fault = Fault(
                f"/moves/{index}",
                str(type(move).__struct_config__.tag),
                expects("no-move-after-end", outcome=outcome, move=index - 1),
                "AB-PWR-4",
            )
            raise SessionEnded("There is a move after the one that ends the session.", [fault], outcome=outcome)
        try:
            MOVES[type(move)](builder, move)
        except Refusal as refusal:
            placed = [msgspec.structs.replace(fault, where=f"/moves/{index}{fault.where}") for fault in refusal.faults]
            raise type(refusal)(refusal.detail, placed, **refusal.data) from refusal
    if builder.events and not builder.sequence:
        builder.end_if_due(builder.events[-1])
    return builder.events


def _goal(builder: SessionBuilder, move: moves.GoalCompleted) -> None:
    """Turn a goal face down; an extra one makes the token retreat. AB-GOAL-1 to AB-GOAL-5."""
    table, cards = builder.table, builder.data.goals
    if move.goal not in table.open_goals:
        right = one_of(list(table.open_goals)) if table.open_goals else expects("no-goal-left")
        fault = Fault("/goal", move.goal, right, "AB-GOAL-1")
        raise MoveImpossible(f"{move.goal} cannot be completed.", [fault])
    card = cards[move.goal]
    if missing := moves.short_of(table, card, cards):
        counted = (card.counted_thing or "").replace("_", " ")
        fault = Fault("/goal", move.goal, expects("more-counted", missing=missing, things=counted), "AB-GOAL-2")
        raise MoveImpossible(f"The condition of {move.goal} does not hold.", [fault])
    _complete(builder, move.goal, move.replaced_by)


def _complete(builder: SessionBuilder, goal: str, replaced_by: str = "") -> None:
    extra, kit = moves.earns_retreat(builder.table), builder.ruleset.kit
    if replaced_by and not builder.ruleset.play.replenish:
        fault = Fault("/replaced_by", replaced_by, expects("no-replacement"), "AB-AMB-2")
        raise MoveImpossible("Completed goals are not replaced.", [fault])
    replacing = _replacement(builder, replaced_by) if builder.ruleset.play.replenish else None
    builder.say(events.GoalCompleted(session=builder.id, goal=goal, extra=extra))
    if extra and not builder.over:
        builder.retreat(kit.retreat_spaces, goal)
    if replacing is not None and not builder.over:
        builder.say(replacing)


def _replacement(builder: SessionBuilder, named: str) -> events.GoalsRevealed | None:
    """The card that takes a goal's place: as the table says, else drawn. AB-AMB-2."""
    left = [card for card in builder.data.goals if card not in builder.table.goals]
    if named and named not in left:
        raise MoveImpossible(f"{named} is not in the deck.", [Fault("/replaced_by", named, one_of(left), "AB-AMB-2")])
    if not left:
        return None
    if named:
        return events.GoalsRevealed(session=builder.id, goals=[named])
    drawn = drawn_goals(builder.context.draws, builder.id, builder.table, list(builder.data.goals), 1)
    return events.GoalsRevealed(session=builder.id, goals=drawn)


def _kill(builder: SessionBuilder, move: moves.SurvivorKilled) -> None:
    """A kill advances the token, each time; the survivor plays on. AB-KIL-1, AB-KIL-2, AB-KIL-3."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-KIL-1")
    counts = moves.kill_counts(builder.table, survivor, builder.ruleset.play)
    builder.say(events.SurvivorKilled(session=builder.id, survivor=survivor, cause=move.cause))
    if counts:
        builder.advance(builder.ruleset.kit.advance_spaces, "survivor_killed", survivor)


def _condition(builder: SessionBuilder, move: moves.ConditionMet) -> None:
    """A further condition of the victory holds. AB-END-1."""
    missing = [condition for condition in builder.table.conditions if condition not in builder.table.met]
    if move.condition not in missing:
        right = one_of(missing) if missing else expects("no-condition-left")
        fault = Fault("/condition", move.condition, right, "AB-END-1")
        raise MoveImpossible("The scenario has no such condition, or it is met already.", [fault])
    builder.say(events.VictoryConditionMet(session=builder.id, condition=move.condition))


def _reward(builder: SessionBuilder, move: moves.QuestReward) -> None:
    """A reward for the opposing faction moves its token, one for the loyal faction nothing. AB-PWR-2, AB-AMB-8."""
    table, play = builder.table, builder.ruleset.play
    _at_least_one(move.spaces, "/spaces", "AB-PWR-1")
    if move.faction == table.loyal:
        rewards = builder.side.loyal_rewards
        if rewards and move.reward not in rewards:
            fault = Fault("/reward", move.reward or "nothing", one_of(list(rewards)), "AB-PWR-2")
            raise MoveImpossible("The side has no such reward.", [fault])
        builder.say(events.LoyalRewardResolved(session=builder.id, reward=move.reward, quest=move.quest))
        if move.token_for:
            _gain_camp(builder, move.token_for, move.from_space, "/token_for")
        elif move.from_space:
            fault = Fault("/token_for", "nothing", expects("survivor-who-gains-token"), "AB-CMP-1")
            raise MoveImpossible("A token goes to a survivor.", [fault])
    elif move.token_for or move.from_space:
        right = expects("no-token-for", faction=table.opposing)
        fault = Fault("/token_for", move.token_for or "nothing", right, "AB-PWR-2")
        raise MoveImpossible("Only a reward of the loyal faction brings a token.", [fault])
    elif move.faction != table.opposing:
        fault = Fault("/faction", move.faction, one_of([table.loyal, table.opposing]), "AB-PWR-1")
        raise MoveImpossible("No such faction plays here.", [fault])
    elif play.opposing_reward == "ignored":
        builder.say(events.OpposingRewardIgnored(session=builder.id, quest=move.quest))
    else:
        builder.advance(move.spaces, "quest_reward", move.quest)


def _effect(builder: SessionBuilder, move: moves.ScenarioEffect) -> None:
    """The token moves as the sheet says: forward, or back and not above the topmost space. AB-PWR-1, AB-AMB-3."""
    if not move.spaces:
        fault = Fault("/spaces", "0", expects("spaces-forward-or-back"), "AB-PWR-1")
        raise MoveImpossible("The token has to move.", [fault])
    if move.spaces < 0:
        builder.retreat(-move.spaces, move.text, "scenario_effect")
    else:
        builder.advance(move.spaces, "scenario_effect", move.text)


def _upgrade(builder: SessionBuilder, move: moves.UpgradeGained) -> None:
    """One more upgrade for the table; goals that count them may not wait where they are forced. AB-WKS-1, AB-AMB-1."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-WKS-1")
    builder.say(events.WorkshopUpgradeGained(session=builder.id, survivor=survivor, upgrade=move.upgrade))
    while not builder.over and (due := moves.forced_goals(builder.table, builder.data.goals, builder.ruleset.play)):
        _complete(builder, due[0])


def _camp_gained(builder: SessionBuilder, move: moves.CampGained) -> None:
    """A survivor gains a token by what else brings one. AB-CMP-1."""
    _gain_camp(builder, move.survivor, move.from_space, "/survivor")


def _gain_camp(builder: SessionBuilder, named: str, from_space: str, where: str) -> None:
    """A token of the supply goes to the survivors; with an empty supply as the ruleset says. AB-CMP-1, AB-AMB-9.

    where: the member of the move that names the survivor.
    """
    table = builder.table
    survivor = survivor_at(table, named, where, "AB-CMP-1")
    supply = moves.camp_supply(table, builder.ruleset.kit)
    from_map = builder.ruleset.play.supply_empty == "move_one_from_map"
    if from_space and (supply or not from_map):
        right = expects("token-from-supply") if supply else expects("no-token-from-map")
        raise MoveImpossible("The token comes from the supply.", [Fault("/from_space", from_space, right, "AB-AMB-9")])
    if not supply:
        movable = table.camp_spaces if from_map and len(table.camp_spaces) > 1 else []
        if from_space not in movable:
            right = one_of(list(movable)) if movable else expects("token-in-supply")
            fault = Fault("/from_space", from_space or "nothing", right, "AB-AMB-9")
            raise MoveImpossible("No C.A.M.P. token is left in the supply.", [fault])
    builder.say(events.CampTokenGained(session=builder.id, survivor=survivor, from_space=from_space))


def _camp_placed(builder: SessionBuilder, move: moves.CampPlaced) -> None:
    """A gained token is placed, and its space can be travelled to. AB-CMP-1."""
    if not move.space:
        fault = Fault("/space", "nothing", expects("named-space"), "AB-CMP-1")
        raise MoveImpossible("The space needs a name.", [fault])
    if not builder.table.camp_gained:
        fault = Fault("/space", move.space or "nothing", expects("no-space-before-token"), "AB-CMP-1")
        raise MoveImpossible("Nobody has a C.A.M.P. token to place.", [fault])
    builder.say(events.CampTokenPlaced(session=builder.id, space=move.space))


def _mutation(builder: SessionBuilder, move: moves.MutationRevealed) -> None:
    """At five rads a survivor turns the one mutation card they have. AB-MUT-1."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-MUT-1")
    needed = builder.ruleset.kit.mutation_rads
    if move.rads < needed:
        fault = Fault("/rads", str(move.rads), expects("at-least", least=needed), "AB-MUT-1")
        raise MoveImpossible("A mutation stays face down below that.", [fault])
    if survivor in builder.table.mutated:
        fault = Fault("/survivor", survivor, expects("survivor-without-mutation"), "AB-MUT-1")
        raise MoveImpossible("The mutation is revealed already.", [fault])
    builder.say(events.MutationRevealed(session=builder.id, survivor=survivor, card=move.card))


def _recovered(builder: SessionBuilder, move: moves.RadsRecovered) -> None:
    """A mutation stays revealed, unless the ruleset turns it down again. AB-MUT-1, AB-AMB-10."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-MUT-1")
    if builder.ruleset.play.after_recovery == "turns_facedown" and survivor in builder.table.mutated:
        builder.say(events.MutationTurnedDown(session=builder.id, survivor=survivor))


def _at_least_one(spaces: int, where: str, clause: str) -> None:
    if spaces < 1:
        fault = Fault(where, str(spaces), expects("at-least", least=1), clause)
        raise MoveImpossible("The token has to move forward.", [fault])


MOVES: Mapping[type, Callable[[SessionBuilder, Any], None]] = MappingProxyType(
    {
        moves.GoalCompleted: _goal,
        moves.SurvivorKilled: _kill,
        moves.ConditionMet: _condition,
        moves.QuestReward: _reward,
        moves.ScenarioEffect: _effect,
        moves.UpgradeGained: _upgrade,
        moves.CampGained: _camp_gained,
        moves.CampPlaced: _camp_placed,
        moves.MutationRevealed: _mutation,
        moves.RadsRecovered: _recovered,
        moves.Travelled: travelled,
        moves.Assisted: assisted,
        moves.ModificationKept: modification_kept,
        moves.CardRevealed: card_revealed,
        moves.EnemiesActivated: enemies_activated,
        moves.OpposingActivated: opposing_activated,
        moves.FirstPlayerChosen: first_player,
    }
)
"""Move -> what it does. Every move is here, or a test fails."""
