"""Moves of a co-operative session: the decision of each move, and the end of a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from services.scoring.coop_sessions import (
    MoveImpossible,
    OtherDetail,
    SessionBuilder,
    SessionEnded,
    refuse_ended_session,
    require_survivor,
    running_session,
)
from shared.coop import events, moves
from shared.coop.events import FightAssisted, ModificationKept, SessionEvent, SurvivorTravelled
from shared.coop.moves import AnyMove, draw_card, draw_goals
from shared.coop.ruleset import ActivationCard
from shared.coop.table import ENEMIES, FIRST_PLAYER, OPPOSING, TURNS
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Command, Id, Size
from shared.tournament.guards import Context
from shared.tournament.state import Tournament

_MAX_MOVES = 20
"""Moves in one command."""


class PlayMoves(Command, frozen=True, kw_only=True):
    """Report moves.

    moves: what happened at one moment, in order. If one is refused, none is recorded.
    """

    session: Id
    moves: Annotated[list[AnyMove], Size(_MAX_MOVES, 1)]


def _travel(builder: SessionBuilder, move: moves.Travelled) -> None:
    """Travel to a space with a C.A.M.P. token (AB-CMP-2). Players check for adjacent enemies."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-CMP-2")
    if move.space not in builder.table.camp_spaces:
        expected = one_of(list(builder.table.camp_spaces))
        raise MoveImpossible(
            "No C.A.M.P. token lies there.", [Fault("/space", move.space or "nothing", expected, "AB-CMP-2")]
        )
    builder.record(SurvivorTravelled(session=builder.id, survivor=survivor, space=move.space))


def _assist(builder: SessionBuilder, move: moves.Assisted) -> None:
    """Assist in a fight: one experience if the enemy died, damage of its level for each icon (AB-AST-1)."""
    assistant = require_survivor(builder.table, move.survivor, "/survivor", "AB-AST-1")
    fighter = require_survivor(builder.table, move.fighter, "/fighter", "AB-AST-1")
    if assistant == fighter:
        raise MoveImpossible(
            "Survivors cannot assist themselves.",
            [Fault("/survivor", assistant, expects("survivor-besides-fighter"), "AB-AST-1")],
        )
    builder.record(
        FightAssisted(
            session=builder.id,
            survivor=assistant,
            fighter=fighter,
            hits=move.hits,
            experience=1 if move.enemy_died else 0,
            damage=move.damage_icons * move.enemy_level,
        )
    )


def _keep_modification(builder: SessionBuilder, move: moves.ModificationKept) -> None:
    """Keep one of the cards drawn for shop actions. It replaces the asset's earlier modification (AB-MOD-1)."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-MOD-1")
    faults = [
        Fault(f"/{name}", value, expected, "AB-MOD-1")
        for name, value, is_given, expected in (
            ("drawn", str(move.drawn), move.drawn >= 1, expects("cards-of-shop-actions")),
            ("card", "nothing", move.card, expects("kept-card")),
            ("asset", "nothing", move.asset, expects("modified-asset")),
        )
        if not is_given
    ]
    if faults:
        raise MoveImpossible("A modification has to be drawn and put on something.", faults)
    replaced = builder.table.modified.get(survivor, {}).get(move.asset, "")
    builder.record(
        ModificationKept(
            session=builder.id,
            survivor=survivor,
            card=move.card,
            asset=move.asset,
            drawn=move.drawn,
            replaced=replaced,
        )
    )


_NEXT_MOVES = {
    "": expects("session-set-up"),
    TURNS: expects("turns-then-card"),
    ENEMIES: one_of(["enemies_activated"]),
    OPPOSING: expects("opposing-or-first-player"),
    FIRST_PLAYER: one_of(["first_player_chosen"]),
}
"""Part of a round -> the expected next move of the end of a round."""


def _reveal_card(builder: SessionBuilder, move: moves.CardRevealed) -> None:
    """Reveal the activation card of a round.

    The ruleset says what an empty deck does (AB-ACT-1, AB-ACT-7, AB-AMB-5).
    """
    _require_part(builder, "card_revealed", TURNS)
    cards, play, round = builder.data.cards, builder.ruleset.play, builder.table.round
    if not cards:
        _reveal_untracked_card(builder, move)
        return
    if len(builder.table.discarded) == len(cards):
        if play.deck_exhausted == "session_lost":
            builder.record(events.SessionLost(session=builder.id, round=round, cause="deck_exhausted"))
            return
        if play.deck_exhausted == "no_activation":
            builder.record(events.ActivationSkipped(session=builder.id, round=round))
            return
        builder.record(events.ActivationDeckReshuffled(session=builder.id, cards=list(builder.table.discarded)))
    card = _draw_card(builder, move, [id for id in cards if id not in builder.table.discarded])
    _record_card(builder, card.card_id, card.enemies, list(card.icons), _reported_enemies(move))


def _draw_card(builder: SessionBuilder, move: moves.CardRevealed, deck: list[str]) -> ActivationCard:
    """Return the named card, or one drawn from the deck. Raises MoveImpossible."""
    cards = builder.data.cards
    if move.enemies or move.icons:
        fault = Fault("/card", move.card or "nothing", expects("card-alone"), "AB-ACT-1")
        raise MoveImpossible("The cards of this event are tracked.", [fault])
    if not move.card:
        return cards[draw_card(builder.context.draws, builder.id, builder.table, list(cards))]
    if move.card not in deck:
        fault = Fault("/card", move.card, one_of(deck), "AB-ACT-1")
        raise MoveImpossible(f"{move.card} is not in the deck.", [fault])
    return cards[move.card]


def _reveal_untracked_card(builder: SessionBuilder, move: moves.CardRevealed) -> None:
    if move.card:
        fault = Fault("/card", move.card, expects("enemies-and-icons"), "AB-OPS-1")
        raise MoveImpossible("The operator entered no cards.", [fault])
    _record_card(builder, "", list(move.enemies), list(move.icons), _reported_enemies(move))


def _reported_enemies(move: moves.CardRevealed) -> int | None:
    """Return the number of opposing enemies on the map, if it was reported."""
    return None if move.enemies_on_map is UNSET else move.enemies_on_map


def _record_card(builder: SessionBuilder, card: str, enemies: list[str], icons: list[str], on_map: int | None) -> None:
    counted = builder.ruleset.play.enemy_count == "at_card_reveal"
    if counted and on_map is None and moves.opposing_faction_acts(builder.table, icons, builder.ruleset.play):
        fault = Fault("/enemies_on_map", "nothing", expects("enemies-on-map"), "AB-AMB-6")
        raise MoveImpossible("Opposing enemies are counted when the card is revealed.", [fault])
    builder.record(
        events.ActivationCardRevealed(
            session=builder.id,
            round=builder.table.round,
            card=card,
            enemies=enemies,
            icons=icons,
            enemies_on_map=on_map,
        )
    )


def _activate_enemies(builder: SessionBuilder, move: moves.EnemiesActivated) -> None:
    """Part 1 of the end of a round: activate the enemy types of the card (AB-ACT-2)."""
    _require_part(builder, "enemies_activated", ENEMIES)
    builder.record(events.EnemiesActivated(session=builder.id, round=builder.table.round))


def _activate_opposing(builder: SessionBuilder, move: moves.OpposingActivated) -> None:
    """Part 2: with the opposing icon, enemies act, the token advances, the effect is resolved (AB-ACT-3, AB-ACT-4)."""
    _require_part(builder, "opposing_activated", OPPOSING)
    drawn, table, play = builder.table.drawn, builder.table, builder.ruleset.play
    assert drawn is not None  # part 2 follows a card
    if not moves.opposing_faction_acts(table, drawn.icons, play):
        fault = Fault("/move", "opposing_activated", expects("first-player-by-card"), "AB-ACT-3")
        raise MoveOutOfOrder("The card does not let the opposing faction act.", [fault], part=table.part)
    if move.enemies_on_map < 0:
        fault = Fault("/enemies_on_map", str(move.enemies_on_map), expects("at-least", least=0), "AB-ACT-3")
        raise MoveImpossible("There cannot be fewer than 0 enemies.", [fault])
    session, round = builder.id, table.round
    builder.record(events.OpposingFactionActivated(session=session, round=round, enemies_on_map=move.enemies_on_map))
    builder.advance(builder.ruleset.kit.advance_spaces, "activation_card", drawn.card)
    at_reveal = play.enemy_count == "at_card_reveal" and drawn.enemies_on_map is not None
    enemies = drawn.enemies_on_map if at_reveal and drawn.enemies_on_map is not None else move.enemies_on_map
    effect = moves.effect_of(builder.side, enemies)
    if builder.has_ended or effect is None:
        return
    builder.record(events.ActivationEffectResolved(session=session, round=round, enemies=enemies, text=effect.text))
    if effect.power_advance:
        builder.advance(effect.power_advance, "scenario_effect", effect.text)


def _choose_first_player(builder: SessionBuilder, move: moves.FirstPlayerChosen) -> None:
    """Part 3: choose the first player, end the round, begin the next one (AB-ACT-5, AB-RND-1)."""
    table, play = builder.table, builder.ruleset.play
    drawn = table.drawn
    skips_opposing = (
        table.part == OPPOSING and drawn is not None and not moves.opposing_faction_acts(table, drawn.icons, play)
    )
    if not skips_opposing:
        _require_part(builder, "first_player_chosen", FIRST_PLAYER)
    require_survivor(table, move.player, "/player", "AB-ACT-5")
    ended = events.RoundEnded(session=builder.id, round=table.round)
    builder.record(events.FirstPlayerChosen(session=builder.id, player=move.player))
    builder.record(ended)
    builder.end_if_due(ended, round_ends=True)
    if not builder.has_ended:
        builder.record(events.RoundBegan(session=builder.id, round=table.round + 1))


def _require_part(builder: SessionBuilder, move: str, part: str) -> None:
    """Raise MoveOutOfOrder unless this part of the end of a round is next (AB-ACT-2)."""
    current = builder.table.part
    if current != part:
        fault = Fault("/move", move, _NEXT_MOVES[current], "AB-ACT-2")
        raise MoveOutOfOrder(f"{move} is not next in round {builder.table.round}.", [fault], part=current)


def play(state: Tournament, command: PlayMoves, context: Context) -> Sequence[Event]:
    """Decide PlayMoves: all moves, or none and the refusal of the first impossible one (AB-REP-1).

    A move after the end of the session is refused (AB-PWR-4, AB-END-3). If the ruleset resolves simultaneous endings,
    the moves of one command are simultaneous (AB-AMB-4).
    """
    return play_moves(running_session(state, command.session, context), command)


def play_moves(builder: SessionBuilder, command: PlayMoves) -> list[SessionEvent]:
    """Return the events of moves. Raises the refusals of `play`."""
    refuse_ended_session(builder.session)
    if builder.ruleset.play.detail != "steps":
        detail = (
            "This event takes one report of a whole session, and no moves without the option ab.report.detail=steps."
        )
        raise OtherDetail(detail, clause="AB-REP-1")
    for index, move in enumerate(command.moves):
        if builder.has_ended:
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


def _complete_goal(builder: SessionBuilder, move: moves.GoalCompleted) -> None:
    """Complete a goal. An extra goal moves the power token back (AB-GOAL-1 to AB-GOAL-5)."""
    table, cards = builder.table, builder.data.goals
    if move.goal not in table.open_goals:
        expected = one_of(list(table.open_goals)) if table.open_goals else expects("no-goal-left")
        fault = Fault("/goal", move.goal, expected, "AB-GOAL-1")
        raise MoveImpossible(f"{move.goal} cannot be completed.", [fault])
    card = cards[move.goal]
    if missing := moves.missing_count(table, card, cards):
        counted = (card.counted_thing or "").replace("_", " ")
        fault = Fault("/goal", move.goal, expects("more-counted", missing=missing, things=counted), "AB-GOAL-2")
        raise MoveImpossible(f"The condition of {move.goal} does not hold.", [fault])
    _record_completed_goal(builder, move.goal, move.replaced_by)


def _record_completed_goal(builder: SessionBuilder, goal: str, replaced_by: str = "") -> None:
    extra, kit = moves.earns_retreat(builder.table), builder.ruleset.kit
    if replaced_by and not builder.ruleset.play.replenish:
        fault = Fault("/replaced_by", replaced_by, expects("no-replacement"), "AB-AMB-2")
        raise MoveImpossible("Completed goals are not replaced.", [fault])
    replacing = _replacement(builder, replaced_by) if builder.ruleset.play.replenish else None
    builder.record(events.GoalCompleted(session=builder.id, goal=goal, extra=extra))
    if extra and not builder.has_ended:
        builder.retreat(kit.retreat_spaces, goal)
    if replacing is not None and not builder.has_ended:
        builder.record(replacing)


def _replacement(builder: SessionBuilder, named: str) -> events.GoalsRevealed | None:
    """Return the card that replaces a goal: the named one, or one drawn (AB-AMB-2)."""
    deck = [card for card in builder.data.goals if card not in builder.table.goals]
    if named and named not in deck:
        raise MoveImpossible(f"{named} is not in the deck.", [Fault("/replaced_by", named, one_of(deck), "AB-AMB-2")])
    if not deck:
        return None
    if named:
        return events.GoalsRevealed(session=builder.id, goals=[named])
    drawn = draw_goals(builder.context.draws, builder.id, builder.table, list(builder.data.goals), 1)
    return events.GoalsRevealed(session=builder.id, goals=drawn)


def _kill_survivor(builder: SessionBuilder, move: moves.SurvivorKilled) -> None:
    """Record a killed survivor, which advances the token. The survivor plays on (AB-KIL-1, AB-KIL-2, AB-KIL-3)."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-KIL-1")
    counts = moves.kill_counts(builder.table, survivor, builder.ruleset.play)
    builder.record(events.SurvivorKilled(session=builder.id, survivor=survivor, cause=move.cause))
    if counts:
        builder.advance(builder.ruleset.kit.advance_spaces, "survivor_killed", survivor)


def _meet_condition(builder: SessionBuilder, move: moves.ConditionMet) -> None:
    """Record that a further victory condition is met (AB-END-1)."""
    missing = [condition for condition in builder.table.conditions if condition not in builder.table.met]
    if move.condition not in missing:
        expected = one_of(missing) if missing else expects("no-condition-left")
        fault = Fault("/condition", move.condition, expected, "AB-END-1")
        raise MoveImpossible("The scenario has no such condition, or it is met already.", [fault])
    builder.record(events.VictoryConditionMet(session=builder.id, condition=move.condition))


def _resolve_reward(builder: SessionBuilder, move: moves.QuestReward) -> None:
    """Resolve a quest reward. Only rewards of the opposing faction move the token (AB-PWR-2, AB-AMB-8)."""
    table, play = builder.table, builder.ruleset.play
    _require_forward(move.spaces, "/spaces", "AB-PWR-1")
    if move.faction == table.loyal:
        rewards = builder.side.loyal_rewards
        if rewards and move.reward not in rewards:
            fault = Fault("/reward", move.reward or "nothing", one_of(list(rewards)), "AB-PWR-2")
            raise MoveImpossible("The side has no such reward.", [fault])
        builder.record(events.LoyalRewardResolved(session=builder.id, reward=move.reward, quest=move.quest))
        if move.token_for:
            _record_camp_token(builder, move.token_for, move.from_space, "/token_for")
        elif move.from_space:
            fault = Fault("/token_for", "nothing", expects("survivor-who-gains-token"), "AB-CMP-1")
            raise MoveImpossible("A token goes to a survivor.", [fault])
    elif move.token_for or move.from_space:
        expected = expects("no-token-for", faction=table.opposing)
        fault = Fault("/token_for", move.token_for or "nothing", expected, "AB-PWR-2")
        raise MoveImpossible("Only a reward of the loyal faction brings a token.", [fault])
    elif move.faction != table.opposing:
        fault = Fault("/faction", move.faction, one_of([table.loyal, table.opposing]), "AB-PWR-1")
        raise MoveImpossible("No such faction plays here.", [fault])
    elif play.opposing_reward == "ignored":
        builder.record(events.OpposingRewardIgnored(session=builder.id, quest=move.quest))
    else:
        builder.advance(move.spaces, "quest_reward", move.quest)


def _apply_scenario_effect(builder: SessionBuilder, move: moves.ScenarioEffect) -> None:
    """Move the token as the scenario sheet says; not above the topmost space (AB-PWR-1, AB-AMB-3)."""
    if not move.spaces:
        fault = Fault("/spaces", "0", expects("spaces-forward-or-back"), "AB-PWR-1")
        raise MoveImpossible("The token has to move.", [fault])
    if move.spaces < 0:
        builder.retreat(-move.spaces, move.text, "scenario_effect")
    else:
        builder.advance(move.spaces, "scenario_effect", move.text)


def _gain_upgrade(builder: SessionBuilder, move: moves.UpgradeGained) -> None:
    """Record an upgrade. If the ruleset says so, this completes goals that count upgrades (AB-WKS-1, AB-AMB-1)."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-WKS-1")
    builder.record(events.WorkshopUpgradeGained(session=builder.id, survivor=survivor, upgrade=move.upgrade))
    while not builder.has_ended and (
        due := moves.forced_goals(builder.table, builder.data.goals, builder.ruleset.play)
    ):
        _record_completed_goal(builder, due[0])


def _gain_camp_token(builder: SessionBuilder, move: moves.CampGained) -> None:
    """Record a C.A.M.P. token gained by other means than a reward (AB-CMP-1)."""
    _record_camp_token(builder, move.survivor, move.from_space, "/survivor")


def _record_camp_token(builder: SessionBuilder, named: str, from_space: str, where: str) -> None:
    """Give a C.A.M.P. token to a survivor. The ruleset says what an empty supply does (AB-CMP-1, AB-AMB-9).

    where: the place of the survivor in the move, for faults.
    """
    table = builder.table
    survivor = require_survivor(table, named, where, "AB-CMP-1")
    supply = moves.camp_supply(table, builder.ruleset.kit)
    from_map = builder.ruleset.play.supply_empty == "move_one_from_map"
    if from_space and (supply or not from_map):
        expected = expects("token-from-supply") if supply else expects("no-token-from-map")
        raise MoveImpossible(
            "The token comes from the supply.", [Fault("/from_space", from_space, expected, "AB-AMB-9")]
        )
    if not supply:
        movable = table.camp_spaces if from_map and len(table.camp_spaces) > 1 else []
        if from_space not in movable:
            expected = one_of(list(movable)) if movable else expects("token-in-supply")
            fault = Fault("/from_space", from_space or "nothing", expected, "AB-AMB-9")
            raise MoveImpossible("No C.A.M.P. token is left in the supply.", [fault])
    builder.record(events.CampTokenGained(session=builder.id, survivor=survivor, from_space=from_space))


def _place_camp_token(builder: SessionBuilder, move: moves.CampPlaced) -> None:
    """Place a gained C.A.M.P. token. Survivors can then travel to its space (AB-CMP-1)."""
    if not move.space:
        fault = Fault("/space", "nothing", expects("named-space"), "AB-CMP-1")
        raise MoveImpossible("The space needs a name.", [fault])
    if not builder.table.camp_gained:
        fault = Fault("/space", move.space or "nothing", expects("no-space-before-token"), "AB-CMP-1")
        raise MoveImpossible("Nobody has a C.A.M.P. token to place.", [fault])
    builder.record(events.CampTokenPlaced(session=builder.id, space=move.space))


def _reveal_mutation(builder: SessionBuilder, move: moves.MutationRevealed) -> None:
    """Reveal the mutation card of a survivor with enough rads (AB-MUT-1)."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-MUT-1")
    needed = builder.ruleset.kit.mutation_rads
    if move.rads < needed:
        fault = Fault("/rads", str(move.rads), expects("at-least", least=needed), "AB-MUT-1")
        raise MoveImpossible("A mutation stays face down below that.", [fault])
    if survivor in builder.table.mutated:
        fault = Fault("/survivor", survivor, expects("survivor-without-mutation"), "AB-MUT-1")
        raise MoveImpossible("The mutation is revealed already.", [fault])
    builder.record(events.MutationRevealed(session=builder.id, survivor=survivor, card=move.card))


def _recover_rads(builder: SessionBuilder, move: moves.RadsRecovered) -> None:
    """Record recovered rads. If the ruleset says so, the mutation is turned face down (AB-MUT-1, AB-AMB-10)."""
    survivor = require_survivor(builder.table, move.survivor, "/survivor", "AB-MUT-1")
    if builder.ruleset.play.after_recovery == "turns_facedown" and survivor in builder.table.mutated:
        builder.record(events.MutationTurnedDown(session=builder.id, survivor=survivor))


def _require_forward(spaces: int, where: str, clause: str) -> None:
    if spaces < 1:
        fault = Fault(where, str(spaces), expects("at-least", least=1), clause)
        raise MoveImpossible("The token has to move forward.", [fault])


MOVES: Mapping[type, Callable[[SessionBuilder, Any], None]] = MappingProxyType(
    {
        moves.GoalCompleted: _complete_goal,
        moves.SurvivorKilled: _kill_survivor,
        moves.ConditionMet: _meet_condition,
        moves.QuestReward: _resolve_reward,
        moves.ScenarioEffect: _apply_scenario_effect,
        moves.UpgradeGained: _gain_upgrade,
        moves.CampGained: _gain_camp_token,
        moves.CampPlaced: _place_camp_token,
        moves.MutationRevealed: _reveal_mutation,
        moves.RadsRecovered: _recover_rads,
        moves.Travelled: _travel,
        moves.Assisted: _assist,
        moves.ModificationKept: _keep_modification,
        moves.CardRevealed: _reveal_card,
        moves.EnemiesActivated: _activate_enemies,
        moves.OpposingActivated: _activate_opposing,
        moves.FirstPlayerChosen: _choose_first_player,
    }
)
"""Type of a move -> its decision. A test checks that no move is missing."""


class MoveOutOfOrder(Refusal):
    """Another part of the round is next; data: `part`."""

    code = "move-out-of-order"
