"""Moves at a co-operative table: what each does, the end of a round, moves without rank."""

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
    playing,
    survivor_at,
)
from shared.coop import events, moves
from shared.coop.events import FightAssisted, ModificationKept, SurvivorTravelled
from shared.coop.moves import AnyMove, draw_card, draw_goals
from shared.coop.ruleset import ActivationCard
from shared.coop.table import ENEMIES, FIRST_PLAYER, OPPOSING, TURNS
from shared.log.event import Event
from shared.refusals import Fault, Refusal, expects, one_of
from shared.shapes import Command, Id, Size
from shared.tournament.guards import Context
from shared.tournament.state import Tournament

MOST_MOVES = 20
"""Of one moment."""


class PlayMoves(Command, frozen=True, kw_only=True):
    """moves: what happened at one moment, in order: all of them, or none and the fault of the first that cannot be."""

    session: Id
    moves: Annotated[list[AnyMove], Size(MOST_MOVES, 1)]


def travelled(builder: SessionBuilder, move: moves.Travelled) -> None:
    """To any space with a C.A.M.P. token; that no enemy stands by is seen at the table. AB-CMP-2."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-CMP-2")
    if move.space not in builder.table.camp_spaces:
        right = one_of(list(builder.table.camp_spaces))
        raise MoveImpossible(
            "No C.A.M.P. token lies there.", [Fault("/space", move.space or "nothing", right, "AB-CMP-2")]
        )
    builder.say(SurvivorTravelled(session=builder.id, survivor=survivor, space=move.space))


def assisted(builder: SessionBuilder, move: moves.Assisted) -> None:
    """One assistant in a fight: one experience where the enemy died, its level in damage for each icon. AB-AST-1."""
    assistant = survivor_at(builder.table, move.survivor, "/survivor", "AB-AST-1")
    fighter = survivor_at(builder.table, move.fighter, "/fighter", "AB-AST-1")
    if assistant == fighter:
        raise MoveImpossible(
            "Survivors cannot assist themselves.",
            [Fault("/survivor", assistant, expects("survivor-besides-fighter"), "AB-AST-1")],
        )
    builder.say(
        FightAssisted(
            session=builder.id,
            survivor=assistant,
            fighter=fighter,
            hits=move.hits,
            experience=1 if move.enemy_died else 0,
            damage=move.damage_icons * move.enemy_level,
        )
    )


def modification_kept(builder: SessionBuilder, move: moves.ModificationKept) -> None:
    """One card for each shop action is drawn, one of them kept; an asset has one, and another replaces it. AB-MOD-1."""
    survivor = survivor_at(builder.table, move.survivor, "/survivor", "AB-MOD-1")
    faults = [
        Fault(f"/{name}", said, expected, "AB-MOD-1")
        for name, said, there, expected in (
            ("drawn", str(move.drawn), move.drawn >= 1, expects("cards-of-shop-actions")),
            ("card", "nothing", move.card, expects("kept-card")),
            ("asset", "nothing", move.asset, expects("modified-asset")),
        )
        if not there
    ]
    if faults:
        raise MoveImpossible("A modification has to be drawn and put on something.", faults)
    replaced = builder.table.modified.get(survivor, {}).get(move.asset, "")
    builder.say(
        ModificationKept(
            session=builder.id,
            survivor=survivor,
            card=move.card,
            asset=move.asset,
            drawn=move.drawn,
            replaced=replaced,
        )
    )


NEXT = {
    "": expects("session-set-up"),
    TURNS: expects("turns-then-card"),
    ENEMIES: one_of(["enemies_activated"]),
    OPPOSING: expects("opposing-or-first-player"),
    FIRST_PLAYER: one_of(["first_player_chosen"]),
}
"""Part of a round -> the expectation of the move of its end that is next."""


def card_revealed(builder: SessionBuilder, move: moves.CardRevealed) -> None:
    """One card at each round's end; with an empty deck as the ruleset says. AB-ACT-1, AB-ACT-7, AB-AMB-5."""
    _refuse_other_than(builder, "card_revealed", TURNS)
    cards, play, round = builder.data.cards, builder.ruleset.play, builder.table.round
    if not cards:
        _untracked(builder, move)
        return
    if len(builder.table.discarded) == len(cards):
        if play.deck_exhausted == "session_lost":
            builder.say(events.SessionLost(session=builder.id, round=round, cause="deck_exhausted"))
            return
        if play.deck_exhausted == "no_activation":
            builder.say(events.ActivationSkipped(session=builder.id, round=round))
            return
        builder.say(events.ActivationDeckReshuffled(session=builder.id, cards=list(builder.table.discarded)))
    card = _drawn(builder, move, [id for id in cards if id not in builder.table.discarded])
    _reveal(builder, card.card_id, card.enemies, list(card.icons), _counted(move))


def _drawn(builder: SessionBuilder, move: moves.CardRevealed, deck: list[str]) -> ActivationCard:
    """Return the card that the table names, or one drawn from the deck."""
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


def _untracked(builder: SessionBuilder, move: moves.CardRevealed) -> None:
    if move.card:
        fault = Fault("/card", move.card, expects("enemies-and-icons"), "AB-OPS-1")
        raise MoveImpossible("The operator entered no cards.", [fault])
    _reveal(builder, "", list(move.enemies), list(move.icons), _counted(move))


def _counted(move: moves.CardRevealed) -> int | None:
    """The opposing enemies on the map, where the table says how many."""
    return None if move.enemies_on_map is UNSET else move.enemies_on_map


def _reveal(builder: SessionBuilder, card: str, enemies: list[str], icons: list[str], on_map: int | None) -> None:
    counted = builder.ruleset.play.enemy_count == "at_card_reveal"
    if counted and on_map is None and moves.opposing_faction_acts(builder.table, icons, builder.ruleset.play):
        fault = Fault("/enemies_on_map", "nothing", expects("enemies-on-map"), "AB-AMB-6")
        raise MoveImpossible("Opposing enemies are counted when the card is revealed.", [fault])
    builder.say(
        events.ActivationCardRevealed(
            session=builder.id,
            round=builder.table.round,
            card=card,
            enemies=enemies,
            icons=icons,
            enemies_on_map=on_map,
        )
    )


def enemies_activated(builder: SessionBuilder, move: moves.EnemiesActivated) -> None:
    """Part 1: the card's two enemy types, top to bottom. AB-ACT-2."""
    _refuse_other_than(builder, "enemies_activated", ENEMIES)
    builder.say(events.EnemiesActivated(session=builder.id, round=builder.table.round))


def opposing_activated(builder: SessionBuilder, move: moves.OpposingActivated) -> None:
    """Part 2: with the opposing icon its enemies act, the token advances once, the effect is resolved. AB-ACT-3, 4."""
    _refuse_other_than(builder, "opposing_activated", OPPOSING)
    drawn, table, play = builder.table.drawn, builder.table, builder.ruleset.play
    assert drawn is not None  # part 2 follows a card
    if not moves.opposing_faction_acts(table, drawn.icons, play):
        fault = Fault("/move", "opposing_activated", expects("first-player-by-card"), "AB-ACT-3")
        raise MoveOutOfOrder("The card does not let the opposing faction act.", [fault], part=table.part)
    if move.enemies_on_map < 0:
        fault = Fault("/enemies_on_map", str(move.enemies_on_map), expects("at-least", least=0), "AB-ACT-3")
        raise MoveImpossible("There cannot be fewer than 0 enemies.", [fault])
    told = builder.id, table.round
    builder.say(events.OpposingFactionActivated(session=told[0], round=told[1], enemies_on_map=move.enemies_on_map))
    builder.advance(builder.ruleset.kit.advance_spaces, "activation_card", drawn.card)
    at_reveal = play.enemy_count == "at_card_reveal" and drawn.enemies_on_map is not None
    enemies = drawn.enemies_on_map if at_reveal and drawn.enemies_on_map is not None else move.enemies_on_map
    effect = moves.effect_of(builder.side, enemies)
    if builder.over or effect is None:
        return
    builder.say(events.ActivationEffectResolved(session=told[0], round=told[1], enemies=enemies, text=effect.text))
    if effect.power_advance:
        builder.advance(effect.power_advance, "scenario_effect", effect.text)


def first_player(builder: SessionBuilder, move: moves.FirstPlayerChosen) -> None:
    """Part 3: the first player stays or names another; the round is over and the next begins. AB-ACT-5, AB-RND-1."""
    table, play = builder.table, builder.ruleset.play
    drawn = table.drawn
    passed = table.part == OPPOSING and drawn is not None and not moves.opposing_faction_acts(table, drawn.icons, play)
    if not passed:
        _refuse_other_than(builder, "first_player_chosen", FIRST_PLAYER)
    survivor_at(table, move.player, "/player", "AB-ACT-5")
    ended = events.RoundEnded(session=builder.id, round=table.round)
    builder.say(events.FirstPlayerChosen(session=builder.id, player=move.player))
    builder.say(ended)
    builder.end_if_due(ended, round_ends=True)
    if not builder.over:
        builder.say(events.RoundBegan(session=builder.id, round=table.round + 1))


def _refuse_other_than(builder: SessionBuilder, move: str, part: str) -> None:
    """A later part of the round end is refused before an earlier one. AB-ACT-2."""
    found = builder.table.part
    if found != part:
        fault = Fault("/move", move, NEXT[found], "AB-ACT-2")
        raise MoveOutOfOrder(f"{move} is not next in round {builder.table.round}.", [fault], part=found)


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
    if missing := moves.missing_count(table, card, cards):
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
    drawn = draw_goals(builder.context.draws, builder.id, builder.table, list(builder.data.goals), 1)
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


class MoveOutOfOrder(Refusal):
    """Another part of the round comes first; data: `part`."""

    code = "move-out-of-order"
