"""Decisions about a round's end at a co-operative table: the card, its enemies, the opposing faction, first player."""

from __future__ import annotations

from msgspec import UNSET

from services.scoring.coop.table import SessionBuilder, survivor_at
from services.scoring.tournament.refusals import MoveImpossible, MoveOutOfOrder
from shared.coop import events, moves
from shared.coop.moves import drawn_card
from shared.coop.ruleset import ActivationCard
from shared.coop.table import ENEMIES, FIRST_PLAYER, OPPOSING, TURNS
from shared.refusals import Fault, expects, one_of

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
        return cards[drawn_card(builder.context.draws, builder.id, builder.table, list(cards))]
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
    if counted and on_map is None and moves.opposing_acts(builder.table, icons, builder.ruleset.play):
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
    if not moves.opposing_acts(table, drawn.icons, play):
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
    passed = table.part == OPPOSING and drawn is not None and not moves.opposing_acts(table, drawn.icons, play)
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
