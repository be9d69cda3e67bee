"""Every pairing computed again, from what pairing had seen when it made it.

Pairings by hand are a person's decision, and cannot be computed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from muster.audit.findings import Findings, misfit
from muster.audit.replay import DecodedEvent, Logs, as_decided
from muster.audit.standings import draw_told
from shared.formats.swiss.games import entrants_of, fault_of_one_more, games_around, games_of
from shared.formats.swiss.ranking import recorded_standings
from shared.formats.swiss.rules.elimination import first_bracket
from shared.formats.swiss.rules.given_byes import fault_of_kind
from shared.formats.swiss.rules.pairing import pair_round
from shared.formats.swiss.rules.rounds import SCENARIO, scenario_draw
from shared.formats.swiss.rules.spare import pair_with_spare
from shared.formats.swiss.ruleset import ruleset_of
from shared.rules.draw import recorded_draw
from shared.rules.model import GIVEN, NOBODY_WON, Draw, Entrant, Game
from shared.rules.tables import table_draw
from shared.tournament.events.pairing import PairingsDrawn, RoundPaired, RoundStarted, Seat
from shared.tournament.held import lacking_lists
from shared.tournament.rounds import kept_apart
from shared.tournament.state import Tournament

NOBODY = "nobody"


def audit_pairings(logs: Logs, findings: Findings) -> None:
    """Replay pairing's log, and compare every round that was not paired by hand with what the rules make of it.

    Who meets whom, who has the bye, that nobody was forgotten; the draws and their seed; the standings it was made
    from; that all pages are there. Of a round that began, whose game waited for a list.
    """
    command, pages = "", 0
    for heard, state, seed in as_decided(logs, "pairing"):
        event = heard.event
        if heard.command_id != command:
            command, pages = heard.command_id, 0
        if isinstance(event, PairingsDrawn):
            pages += 1
            if event.page != pages:
                findings.fail("pairing", heard, f"page {event.page}", f"page {pages}")
        elif isinstance(event, RoundPaired | RoundStarted):
            try:
                if isinstance(event, RoundStarted):
                    _started(heard, event, state, findings)
                else:
                    _round(heard, event, state, seed, findings)
            except Exception as error:  # facts or a ruleset that the rules cannot work with
                said = f"round {event.round}: {misfit(error, event)}"
                wanted = "begin" if isinstance(event, RoundStarted) else "be paired"
                findings.fail("pairing", heard, said, f"a round that can {wanted}")
            pages = 0


def _started(heard: DecodedEvent, event: RoundStarted, state: Tournament, findings: Findings) -> None:
    """Whose game waits for a list: everybody who lacked an accepted one as the round began, nobody else. FF-REG-3."""
    lacking = {lack.player for lack in lacking_lists(state, state.rounds.rounds[event.round])}
    if set(event.held) != lacking:
        said = f"round {event.round} held {', '.join(sorted(event.held)) or NOBODY}"
        findings.fail("pairing", heard, said, ", ".join(sorted(lacking)) or NOBODY)


def _round(heard: DecodedEvent, event: RoundPaired, state: Tournament, seed: str, findings: Findings) -> None:
    seats = state.rounds.drawn
    if event.games != len(seats):
        findings.fail("pairing", heard, f"round {event.round} of {event.games} games", f"{len(seats)}, as on its pages")
    if beside := [seat.game for seat in seats if seat.sides]:
        findings.fail("pairing", heard, f"{', '.join(beside[:8])} played in sides", "games of two")
    recorded = state.results.recorded.get(event.round - 1)
    made_from = recorded.position if recorded else 0
    if event.made_from != made_from:
        findings.fail(
            "pairing", heard, f"round {event.round} made from scoring {event.made_from}", f"scoring {made_from}"
        )
    if event.method == "manual":
        findings.counts["by hand"] += 1
        return
    if event.seed != seed:
        findings.fail("seed", heard, f"round {event.round}: seed {event.seed}", f"{seed}, the hash before this command")
        return
    for draw in event.draws:
        right = recorded_draw(seed, draw.purpose, draw.round, draw.order)
        if draw.seed != seed or list(draw.order) != right:
            order = ", ".join(right[:8]) + (", …" if len(right) > 8 else "")
            findings.fail("draw", heard, draw_told(draw), f"by seed {seed[:8]}…: {order}")
    if event.stage == "swiss":
        _swiss(heard, event, state, seed, findings)
    else:
        _elimination(heard, event, state, seed, findings)


def _swiss(heard: DecodedEvent, event: RoundPaired, state: Tournament, seed: str, findings: Findings) -> None:
    seats = state.rounds.drawn
    forgotten = _forgotten(state, event, seats)
    if forgotten:
        said = f"round {event.round} without {', '.join(forgotten[:8])}"
        findings.fail("pairing", heard, said, f"a game, a bye or a reason for all {len(forgotten)}")
    due: dict[str, str] = {}
    draws: list[Draw] = []
    games = games_of(state, event.round - 1, stage="swiss")
    for player in (seat.player_1 for seat in seats if seat.bye and not _can_be_given(state, seat, event.round)):
        said = f"round {event.round}: {player} has a bye that the ruleset does not know, or one too many"
        findings.fail("pairing", heard, said, "a bye that the ruleset gives a worth, and allows")
    for group in _groups(state, seats):
        made, drawn = _group_again(state, event.round, seed, group, games)
        due |= made
        draws += drawn
    _compare(heard, event, _met(seats), due, findings)
    found = sorted((draw.purpose, draw.round, tuple(draw.order)) for draw in event.draws)
    tables = table_draw(
        ruleset_of(state.entries).tables.order,
        (seat.player_1 for seat in seats if seat.kind != "bye"),
        round=event.round,
        seed=seed,
    )
    draws += [tables] if tables else []
    draws += _scenario_drawn(heard, event, state, seed, findings)
    findings.counts["pairings"] += 1
    findings.counts["draws"] += len(draws)
    right = sorted((draw.purpose, draw.round, draw.order) for draw in draws)
    if found != right:
        findings.fail("draw", heard, f"round {event.round} with {_purposes(found)}", _purposes(right))


def _scenario_drawn(
    heard: DecodedEvent, event: RoundPaired, state: Tournament, seed: str, findings: Findings
) -> list[Draw]:
    """The draw of the scenario where one is told; that its first is played, and stands in the pool. FF-SET-4."""
    ruleset = ruleset_of(state.entries)
    pool = ruleset.result.pool
    if pool and event.scenario and event.scenario not in pool:
        findings.fail("pairing", heard, f"round {event.round} of {event.scenario}", f"one of {', '.join(pool)}")
    if not any(draw.purpose == SCENARIO for draw in event.draws):
        return []
    played = [round.scenario for round in state.rounds.rounds.values() if round.number < event.round]
    drawn = scenario_draw(ruleset, played, round=event.round, seed=seed)
    if drawn and event.scenario != drawn.order[0]:
        findings.fail("draw", heard, f"round {event.round} of {event.scenario}", f"{drawn.order[0]}, as drawn")
    return [drawn] if drawn else []


def _compare(
    heard: DecodedEvent, event: RoundPaired, found: Mapping[str, str], due: Mapping[str, str], findings: Findings
) -> None:
    wrong = [player for player in sorted(found.keys() | due.keys()) if found.get(player) != due.get(player)]
    if wrong:
        player = wrong[0]
        more = f" ({len(wrong)} players differ)" if len(wrong) > 1 else ""
        said = f"round {event.round}: {player} meets {found.get(player, NOBODY)}"
        findings.fail("pairing", heard, said, f"{player} meets {due.get(player, NOBODY)}{more}")


def _met(seats: Iterable[Seat]) -> dict[str, str]:
    """Player -> whom they meet: the opponent, `bye`, or the spare player; without those whose bye was given."""
    met = {}
    for seat in seats:
        if seat.bye:
            continue
        met[seat.player_1] = seat.player_2 or "bye"
        if seat.kind == "game":
            met[seat.player_2] = seat.player_1
    return met


def _forgotten(state: Tournament, event: RoundPaired, seats: Iterable[Seat]) -> list[str]:
    known = {player for seat in seats for player in seat.players}
    known.update(player for players in event.left_out.values() for player in players)
    return [player.id for player in state.entries.active() if player.id not in known]


def _can_be_given(state: Tournament, seat: Seat, round: int) -> bool:
    """Whether the ruleset knows a bye that a person gave, and allows one more; else a person decides who has it."""
    ruleset = ruleset_of(state.entries)
    if seat.kind != "bye" or fault_of_kind(ruleset, seat.bye, ""):
        return False
    return fault_of_one_more(state, ruleset, seat.player_1, GIVEN[seat.bye], "", besides=round) is None


def _groups(state: Tournament, seats: Iterable[Seat]) -> list[dict[str, str]]:
    """The players who were paired among themselves, as player -> the spare player met, mostly empty."""
    entries = state.entries
    groups: dict[str, dict[str, str]] = {}
    for seat in seats:
        for player in seat.players if not seat.bye else ():
            venue = entries.players[player].venue if entries.pairing_scope == "venue" else ""
            groups.setdefault(venue, {})[player] = seat.player_2 if seat.kind == "spare" else ""
    return list(groups.values())


def _group_again(
    state: Tournament, round: int, seed: str, group: Mapping[str, str], games: Sequence[Game]
) -> tuple[dict[str, str], Sequence[Draw]]:
    """Whom each player of a group meets, by the rules; and the draws. The spare player takes the place of the bye."""
    spare = next(filter(None, group.values()), "")
    if len(group) == 1:
        return dict.fromkeys(group, spare or "bye"), ()
    ruleset = ruleset_of(state.entries)
    known = [game for game in games if game.player_1 in group or game.player_2 in group]
    standings = recorded_standings(state, round - 1)
    entrants = _entrants(state, group, known)
    apart = kept_apart(state.entries, round, group)
    if spare:
        made = pair_with_spare(
            ruleset, entrants, known, round=round, seed=seed, spare=spare, standings=standings, apart=apart
        )
    else:
        around = games_around(state, group, games)
        made = pair_round(ruleset, entrants, around, round=round, seed=seed, standings=standings, apart=apart)
    due: dict[str, str] = {}
    for pairing in made.pairings:
        due[pairing.player_1] = pairing.player_2 or "bye"
        if pairing.kind == "game" and pairing.player_2:
            due[pairing.player_2] = pairing.player_1
    return due, made.draws


def _entrants(state: Tournament, playing: Collection[str], games: Iterable[Game]) -> list[Entrant]:
    """Those to be paired, and those they met who have left since."""
    faced = {player for game in games for player in (game.player_1, game.player_2)}
    return [
        entrant
        for entrant in entrants_of(state)
        if entrant.player in playing or (entrant.status != "active" and entrant.player in faced)
    ]


def _elimination(heard: DecodedEvent, event: RoundPaired, state: Tournament, seed: str, findings: Findings) -> None:
    due: dict[str, str] = {}
    for one, two in _bracket(state, event.round, seed):
        due |= {player: other or "bye" for player, other in ((one, two), (two, one)) if player}
    findings.counts["pairings"] += 1
    _compare(heard, event, _met(state.rounds.drawn), due, findings)


def _bracket(state: Tournament, round: int, seed: str) -> list[tuple[str, str]]:
    """Who meets whom: from the cut, later from who won; a place without a player is empty. DW-CUT-2, DW-CUT-3."""
    ruleset, rounds = ruleset_of(state.entries), state.rounds
    if round == rounds.cut_after + 1:
        seeds = [player for player in rounds.cut if rounds.given_up.get(player) != ""]
        return first_bracket(ruleset, seeds, round=round, seed=seed)
    places = {_place(seat): seat for seat in rounds.rounds[round - 1].seats.values()}
    winners = [_winner(state, round - 1, places.get(place)) for place in range(1, max(places) + 1)]
    if ruleset.cut.bracket == "reseed":
        return first_bracket(ruleset, sorted(filter(None, winners), key=rounds.cut.index), round=round, seed=seed)
    winners += [""] * (len(winners) % 2)
    return list(zip(winners[::2], winners[1::2], strict=True))


def _place(seat: Seat) -> int:
    """The place in the bracket, which is the number in the game's id: r5g2-3 is the second."""
    return int(seat.game.partition("g")[2].partition("-")[0])


def _winner(state: Tournament, round: int, seat: Seat | None) -> str:
    """Who goes on from a place of the bracket: of two the higher in the standings recorded after the round."""
    if seat is None:
        return ""
    result = state.results.results.get(seat.game)
    if seat.kind == "bye":
        winner = seat.player_1
    elif result is None or result.facts.get("kind") in NOBODY_WON:
        return ""
    else:
        ranks = {row.player: row.rank for row in state.results.recorded[round].rows}
        present = [player for player in (seat.player_1, seat.player_2) if player in ranks]
        winner = min(present, key=ranks.__getitem__, default="")
    left = winner and (state.rounds.given_up.get(winner) == "" or state.entries.players[winner].status != "active")
    return "" if left else winner


def _purposes(draws: Sequence[tuple[str, int, Sequence[str]]]) -> str:
    told = [f"{purpose} of {len(order)}" for purpose, _, order in draws[:8]]
    return f"{len(draws)} draws" + (f": {', '.join(told)}" if told else "")
