"""What pairing shows, from the folded state. Names come from registration, the status of games from scoring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.pairing.tournament.drafts import spares_of
from services.pairing.tournament.refusals import NoGame
from services.pairing.tournament.seating import games_at_tables
from services.pairing.tournament.state import BINDING, end_of, name_of, player_of, status_of
from shared.formats.by_format import rounds_if_fixed
from shared.tournament.events.pairing import Seat
from shared.tournament.held import MENDED_BY, held_by
from shared.tournament.rounds import Round
from shared.tournament.state import Tournament


def rounds_view(state: Tournament) -> dict[str, Any]:
    """Every round in short, how many are planned, and who stands by as spare player."""
    return {
        "rounds": [round_listed(state, round) for _, round in sorted(state.rounds.rounds.items())],
        "planned": rounds_if_fixed(state),
        "spares": [{"staff": member.id, "name": member.name, "venue": member.venue} for member in spares_of(state)],
    }


def round_listed(state: Tournament, round: Round) -> dict[str, Any]:
    """A round in short."""
    games = [seat for seat in round.seats.values() if seat.kind != "bye"]
    return {
        "round": round.number,
        "stage": round.stage,
        "status": "closed" if round.number in state.results.closed else round.status,
        "method": round.method,
        "scenario": round.scenario,
        "reason": round.reason,
        "games": len(games),
        "open": sum(status_of(state, seat) != BINDING for seat in games),
        "started_at": round.started_at,
        "ends_at": round.ends_at,
        "seed": round.seed,
        "made_from": round.made_from,
        "made_from_older_standings": made_from_older_standings(state, round),
    }


def made_from_older_standings(state: Tournament, round: Round) -> bool:
    """Whether scoring has recorded the standings before a round anew since, or has opened that round again."""
    recorded = state.results.recorded.get(round.number - 1)
    return bool(round.made_from) and (recorded is None or recorded.position != round.made_from)


def round_view(state: Tournament, round: Round, timing: Mapping[str, Any] | None, venue: str = "") -> dict[str, Any]:
    """A round with its pairings; those of one venue where that is asked for. timing: None where it has no clock."""
    return {
        **round_listed(state, round),
        "timing": timing,
        "left_out": left_out_view(state, round.left_out),
        "pairings": [pairing_view(state, round, seat) for seat in round.seats.values() if venue in ("", seat.venue)],
    }


def left_out_view(state: Tournament, left_out: dict[str, list[str]]) -> list[dict[str, str]]:
    """Who was not paired, and why."""
    return [
        {"player": player, "name": name_of(state.entries, player), "why": why}
        for why, players in left_out.items()
        for player in players
    ]


def pairing_view(state: Tournament, round: Round, seat: Seat) -> dict[str, Any]:
    """A pairing as everybody sees it."""
    entries = state.entries
    venue = entries.venues.get(seat.venue)
    sides = [[{"player": one, "name": name_of(entries, one)} for one in side] for side in seat.sides]
    return {
        "game": seat.game,
        "kind": seat.kind,
        "player_1": seat.player_1,
        "name_1": name_of(entries, seat.player_1),
        "player_2": seat.player_2,
        "name_2": name_of(entries, seat.player_2) if seat.player_2 else "",
        "venue": seat.venue,
        "venue_name": venue.name if venue else "",
        "table": seat.table,
        "wave": seat.wave,
        "status": status_of(state, seat),
        "reason": seat.reason,
        "rematch": seat.rematch,
        "bye": seat.bye,
        "ends_at": end_of(round, seat.game) if seat.kind != "bye" else "",
        "held": bool(held_by(state, round, seat)),
        **({"sides": sides} if sides else {}),
    }


def held_view(state: Tournament, round: Round) -> dict[str, Any]:
    """The games of a round that wait for a list, with whose, why, the clause and what sets them going."""
    held = [(seat, held_by(state, round, seat)) for seat in round.seats.values()]
    return {
        "round": round.number,
        "items": [
            {
                "game": seat.game,
                "venue": seat.venue,
                "table": seat.table,
                "players": [{**msgspec.to_builtins(lack), "mended_by": MENDED_BY[lack.why]} for lack in lacking],
            }
            for seat, lacking in held
            if lacking
        ],
    }


def players_pairing(state: Tournament, player: str) -> dict[str, Any]:
    """A player's game of the latest round; for the spare player too. Raises PlayerUnknown, NoGame."""
    if player not in state.entries.staff:
        player_of(state.entries, player)
    round = state.rounds.latest()
    for seat in round.seats.values() if round else ():
        if round and player in seat.everybody:
            status = "closed" if round.number in state.results.closed else round.status
            return {
                "player": player,
                "round": round.number,
                "status": status,
                "pairing": pairing_view(state, round, seat),
            }
    raise NoGame(f"{name_of(state.entries, player)} has no game now.", round=round.number if round else None)


def tables_view(state: Tournament) -> dict[str, Any]:
    """Every table of every open venue; tables that nobody set up are shown while a game is there."""
    entries = state.entries
    round = state.rounds.latest()
    if round is not None and round.number in state.results.closed:
        round = None
    taken = games_at_tables(state, round) if round else {}
    venues = {venue.id: (venue.name, dict(venue.tables)) for venue in entries.venues.values() if venue.open}
    for venue, table in sorted(taken):
        known = entries.venues.get(venue)
        venues.setdefault(venue, (known.name if known else "", {}))[1].setdefault(table, False)
    pinned: dict[tuple[str, int], list[dict[str, str]]] = {}
    for player in entries.active():
        if player.pinned:
            pinned.setdefault(player.pinned, []).append({"player": player.id, "name": player.name})
    return {
        "round": round.number if round else None,
        "venues": [
            {
                "venue": venue,
                "name": name,
                "tables": [
                    {
                        "table": table,
                        "accessible": accessible,
                        "game": pairing_view(state, round, round.seats[taken[venue, table]])
                        if round and (venue, table) in taken
                        else None,
                        "pinned": pinned.get((venue, table), []),
                    }
                    for table, accessible in sorted(tables.items())
                ],
            }
            for venue, (name, tables) in venues.items()
        ],
    }


def cut_view(state: Tournament) -> dict[str, Any]:
    """The seats of the elimination stage, in seeding order."""
    rounds = state.rounds
    return {
        "after_round": rounds.cut_after or None,
        "seeds": [
            {
                "seed": seed,
                "player": player,
                "name": name_of(state.entries, player),
                "given_up": rounds.given_up.get(player) == "",
            }
            for seed, player in enumerate(rounds.cut, start=1)
        ],
    }
