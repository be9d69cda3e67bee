"""Random sequences of commands: binding results were agreed or ruled, closed rounds are complete, and standings can be
recomputed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from services.scoring.handlers import HANDLERS
from services.scoring.results import (
    AppealRuling,
    ConfirmResult,
    CorrectResult,
    DisputeResult,
    RejectAppeal,
    ReportResult,
    ReportResults,
    RuleResult,
    VoidResult,
)
from services.scoring.rounds import CloseRound, Conclude, EnterCoin, GiveAward, ReopenRound, WithdrawAward
from shared.formats.options import apply_options
from shared.formats.packs import shipped_ruleset
from shared.refusals import Refusal
from shared.rules.parts import to_json
from shared.tournament import registration
from shared.tournament.guards import By
from shared.tournament.results import (
    ResultConfirmed,
    ResultCorrected,
    ResultReported,
    ResultRuled,
    ResultVoided,
    TournamentConcluded,
)
from tests.auditing import decided_again
from tests.examples import examples
from tests.services.harness import Harness

ARMADA = shipped_ruleset("star-wars-armada-1.1")
PACKS = [
    to_json(apply_options(ARMADA, options))
    for options in ({}, {"unresolved_ties": "shared"}, {"dq_opponent_results": "void_games", "sos": "tome"})
]
PLAYERS = 5

FACTS = [
    {"kind": "game", "points_1": 100, "points_2": 50, "end": "rounds", "second_player": 2},
    {"kind": "game", "points_1": 50, "points_2": 100, "end": "rounds", "second_player": 1},
    {"kind": "game", "points_1": 90, "points_2": 90, "end": "time", "second_player": 1},
    {"kind": "no_show", "conceded_by": 2},
    {"kind": "double_no_show"},
    {"kind": "game", "points_1": 100, "points_2": 50, "winner": 2, "second_player": 2},
]
"""The last one is impossible."""

VERBS: Mapping[str, Callable[..., Any]] = {
    "report": lambda game, facts, **_: ReportResult(game=game, facts=facts),
    "slips": lambda game, facts, other, **_: ReportResults(
        results=[ReportResult(game=game, facts=facts), ReportResult(game=other, facts=facts)]
    ),
    "confirm": lambda game, **_: ConfirmResult(game=game),
    "dispute": lambda game, facts, **_: DisputeResult(game=game, reason="x", facts=facts),
    "rule": lambda game, facts, **_: RuleResult(game=game, facts=facts, reason="x"),
    "appeal": lambda game, **_: AppealRuling(game=game, reason="x"),
    "reject": lambda game, **_: RejectAppeal(game=game, reason="x"),
    "correct": lambda game, facts, **_: CorrectResult(game=game, facts=facts, reason="x"),
    "void": lambda game, **_: VoidResult(game=game, reason="x"),
    "close": lambda round, **_: CloseRound(round=round),
    "reopen": lambda round, **_: ReopenRound(round=round, reason="x"),
    "coin": lambda round, other, **_: EnterCoin(round=round, order=["p1", "p2"] if other else []),
    "award": lambda **_: GiveAward(name="x", player="p1"),
    "withdraw": lambda **_: WithdrawAward(award="a1", reason="x"),
    "conclude": lambda early, **_: Conclude(reason=early),
}
MEANWHILE = ("pair", "start", "settle", "end", "take back", "drop", "out", "back")
OFTEN = (
    "report",
    "report",
    "confirm",
    "confirm",
    "dispute",
    "rule",
    "rule",
    "appeal",
    "correct",
    "close",
    "settle",
    "pair",
)

verbs = st.sampled_from([*VERBS, *MEANWHILE, *OFTEN])
callers = st.sampled_from(
    [
        *[By(f"p{number}", "player") for number in range(1, PLAYERS + 1)],
        *[By("s2", "referee")] * 4,
        *[By("s1", "head_referee")] * 4,
    ]
)
moves = st.lists(st.tuples(verbs, st.integers(0, 7), st.sampled_from(FACTS), callers), min_size=10, max_size=40)
"""(command, game, facts, caller), or an action of pairing or registration."""


def commanded(harness: Harness, verb: str, number: int, facts: dict) -> object:
    """Return a command about an existing game, usually of the latest round."""
    rounds = sorted(harness.state.rounds.rounds.items(), reverse=True)
    games = [seat.game for _, round in rounds for seat in round.seats.values() if seat.kind != "bye"][:6] or ["r1g1"]
    game, other = games[number % len(games)], games[(number + 1) % len(games)]
    early = "a storm" if number % 2 else ""
    latest = rounds[0][0] if rounds else 1
    return VERBS[verb](game=game, other=other, facts=facts, round=max(1, latest - number // 6), early=early)


SEATED = (ReportResult, ConfirmResult, DisputeResult, AppealRuling)
LEADING = (
    CloseRound,
    ReopenRound,
    RejectAppeal,
    EnterCoin,
    GiveAward,
    WithdrawAward,
    Conclude,
)


def let_in(command: object, by: By) -> bool:
    """Return True if authentication admits the caller for the command."""
    if by.role == "player":
        return isinstance(command, SEATED)
    if by.role == "referee":
        return not isinstance(command, (*LEADING, DisputeResult, AppealRuling))
    return not isinstance(command, (DisputeResult, AppealRuling))


def leave(harness: Harness, how: str, player: str) -> None:
    """Drop, disqualify or reinstate a player, if possible."""
    known = harness.state.entries.players[player]
    after = harness.state.results.rounds_closed()
    if how == "drop" and known.status == "active":
        harness.say("registration", registration.PlayerDropped(player=player, after_round=after))
    elif how == "out" and known.status in ("active", "dropped"):
        harness.say("registration", registration.PlayerDisqualified(player=player, after_round=after, reason="x"))
    elif how == "back" and known.status == "disqualified":
        harness.say("registration", registration.DisqualificationRevoked(player=player, reason="x"))


def settle(harness: Harness) -> None:
    """Finish and close the latest round."""
    latest = harness.state.rounds.latest()
    if latest is None:
        return
    harness.play_on("start")
    for game in harness.state.open_games(latest.number):
        facts = {"kind": "game", "points_1": 100, "points_2": 50, "second_player": 2}
        harness.run(RuleResult(game=game, facts=facts, reason="x"), By("s1", "head_referee"))
    harness.run(CloseRound(round=latest.number), By("s1", "head_referee"))


def check(harness: Harness, before: dict[str, tuple], by: By, events: list) -> None:
    """Check the invariants after one command."""
    state = harness.state
    for event in events:
        level, status, side = before.get(getattr(event, "game", ""), ("", "", 0))
        match event:
            case ResultConfirmed(side=confirmer) if confirmer:
                assert (status, confirmer) == ("reported", 3 - side), "bound by one player's word"
            case ResultReported(side=reporter):
                assert (reporter == 0) == by.staff
                assert status == ""
            case ResultRuled() | ResultCorrected() | ResultVoided():
                assert by.staff
                assert level != "head_referee" or by.role == "head_referee", "the head referee was overruled"
            case TournamentConcluded(winner=winner):
                rows = state.results.recorded[max(state.results.closed)].rows
                first = [row.player for row in rows if row.rank == 1 and row.status != "disqualified"]
                assert winner in (first or [""])
    for round in state.results.closed:
        assert state.open_games(round) == []
        assert round in state.results.recorded
    for result in state.results.results.values():
        assert not result.appealed or result.status == "ruled"


@settings(max_examples=examples(120))
@given(st.sampled_from(PACKS), moves)
def test_random_commands_keep_results_and_standings_consistent(pack, moves):
    harness = Harness("scoring", HANDLERS)
    harness.say(
        "registration",
        registration.TournamentAnnounced(name="Open", format="swiss", ruleset=pack, rounds=3),
        *[registration.PlayerJoined(player=f"p{n}", name=f"Player {n}") for n in range(1, PLAYERS + 1)],
        registration.StaffAppointed(staff="s1", name="Hetty", role="head_referee"),
        registration.StaffAppointed(staff="s2", name="Rita", role="referee"),
    )
    harness.play_on("pair")
    harness.play_on("start")
    for verb, number, facts, by in moves:
        if verb in ("settle", "end"):
            settle(harness)
            if verb == "end":
                harness.run(Conclude(reason="a storm"), By("organiser", "organiser"))
        elif verb in ("drop", "out", "back"):
            leave(harness, verb, f"p{1 + number % PLAYERS}")
        elif verb in MEANWHILE:
            harness.play_on(verb)
        elif let_in(command := commanded(harness, verb, number, facts), by):
            results = harness.state.results.results.values()
            before = {result.game: (result.level, result.status, result.side) for result in results}
            concluded = harness.state.results.concluded
            done = harness.run(command, by)
            if isinstance(done, Refusal):
                continue
            check(harness, before, by, done)
            allowed = (CorrectResult, GiveAward, WithdrawAward)
            assert not concluded or not done or isinstance(command, allowed), "played on after the end"
            if not isinstance(command, GiveAward):
                again = harness.run(command, by)
                assert isinstance(again, Refusal) or again == []
    harness.hold()
    assert decided_again(harness.logs, "scoring") == []
