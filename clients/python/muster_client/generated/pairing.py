"""The client of pairing: a method for each of its operations.

Made of clients/openapi.json by `make client`.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

from muster_client.answer import Version
from muster_client.asking import Operation
from muster_client.generated import answers, bodies
from muster_client.generated.common import Common
from muster_client.lines import Lines

AMEND_PAIRINGS = Operation(
    "amend_pairings",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/amendments",
    answers.Appended,
    body=bodies.AmendPairingsBody,
)
ANSWER_CALL = Operation(
    "answer_call", "POST", "/tournaments/{tournament}/calls/{call}/answer", answers.Appended, body=bodies.AnswerCallBody
)
CALL_JUDGE = Operation("call_judge", "POST", "/tournaments/{tournament}/calls", answers.Appended, body=bodies.CallJudge)
CALL_TIME = Operation(
    "call_time", "POST", "/tournaments/{tournament}/rounds/{round}/calls", answers.Appended, body=bodies.CallTimeBody
)
CANCEL_CUT_PUBLICATION = Operation(
    "cancel_cut_publication", "POST", "/tournaments/{tournament}/cut/publication/cancellation", answers.Appended
)
CANCEL_PUBLICATION = Operation(
    "cancel_publication",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/publication/cancellation",
    answers.Appended,
    body=bodies.CancelPublicationBody,
)
CLOSE_SESSION_ROUND = Operation(
    "close_session_round", "POST", "/tournaments/{tournament}/session-rounds/{round}/close", answers.Appended
)
COPIES_FEED = Operation("copies_feed", "GET", "/copies/feed")
COPIES_HEADS = Operation("copies_heads", "GET", "/copies/heads")
COPIES_HELD = Operation("copies_held", "GET", "/copies")
EXTEND_CLOCK = Operation(
    "extend_clock",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/extensions",
    answers.Appended,
    body=bodies.ExtendClockBody,
)
GIVE_UP_SEAT = Operation(
    "give_up_seat", "POST", "/tournaments/{tournament}/cut/given-up", answers.Appended, body=bodies.GiveUpSeat
)
JUDGE_ROUND = Operation(
    "judge_round", "GET", "/tournaments/{tournament}/rounds/{round}/judgement", answers.JudgementView
)
LIST_CALLS = Operation("list_calls", "GET", "/tournaments/{tournament}/calls", answers.JudgeCallViewPage)
LIST_HELD_GAMES = Operation(
    "list_held_games", "GET", "/tournaments/{tournament}/rounds/{round}/held", answers.HeldGames
)
LIST_ROUNDS = Operation("list_rounds", "GET", "/tournaments/{tournament}/rounds", answers.RoundsView)
LIST_SESSION_ROUNDS = Operation(
    "list_session_rounds", "GET", "/tournaments/{tournament}/session-rounds", answers.SessionRoundsView
)
LIST_TABLES = Operation("list_tables", "GET", "/tournaments/{tournament}/tables", answers.TablesView)
LOG = Operation("log", "GET", "/tournaments/{tournament}/log")
MAKE_CUT = Operation("make_cut", "POST", "/tournaments/{tournament}/cut", answers.Appended, body=bodies.MakeCut)
MOVE_TABLE = Operation(
    "move_table",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/games/{game}/table",
    answers.Appended,
    body=bodies.MoveTableBody,
)
OFFER_SPARE = Operation(
    "offer_spare", "POST", "/tournaments/{tournament}/spare", answers.Appended, body=bodies.OfferSpare
)
OPEN_SESSION_ROUND = Operation(
    "open_session_round",
    "POST",
    "/tournaments/{tournament}/session-rounds",
    answers.Appended,
    body=bodies.OpenSessionRound,
)
PAIR_ROUND = Operation("pair_round", "POST", "/tournaments/{tournament}/rounds", answers.Paired, body=bodies.PairRound)
PUBLISH_CUT = Operation(
    "publish_cut", "POST", "/tournaments/{tournament}/cut/publication", answers.Appended, body=bodies.Publication
)
PUBLISH_ROUND = Operation(
    "publish_round",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/publication",
    answers.Appended,
    body=bodies.RoundPublication,
)
RECALL_SPARE = Operation(
    "recall_spare", "DELETE", "/tournaments/{tournament}/spare", answers.Appended, query=("staff",)
)
RECOPY_FROM_OWNER = Operation("recopy_from_owner", "POST", "/recopy", answers.RecopiedView, body=bodies.PairingRecopy)
RECOVER_FROM_PEERS = Operation("recover_from_peers", "POST", "/recover", answers.Recovered, body=bodies.PairingRecover)
REPAIR_ROUND = Operation(
    "repair_round", "POST", "/tournaments/{tournament}/rounds/{round}/repairing", answers.Paired, body=bodies.Repairing
)
RESEAT_TABLE = Operation(
    "reseat_table",
    "POST",
    "/tournaments/{tournament}/sessions/{session}/seating",
    answers.Appended,
    body=bodies.ReseatTableBody,
)
SHOW_BRACKET = Operation("show_bracket", "GET", "/tournaments/{tournament}/bracket", answers.BracketView)
SHOW_CALENDAR = Operation("show_calendar", "GET", "/tournaments/{tournament}/timetable.ics")
SHOW_CALL = Operation("show_call", "GET", "/tournaments/{tournament}/calls/{call}", answers.JudgeCallView)
SHOW_CLOCK = Operation("show_clock", "GET", "/tournaments/{tournament}/clock", answers.ClockView)
SHOW_CUT = Operation("show_cut", "GET", "/tournaments/{tournament}/cut", answers.CutView)
SHOW_PAIRING = Operation(
    "show_pairing", "GET", "/tournaments/{tournament}/rounds/{round}/games/{game}", answers.PairingView
)
SHOW_PLAYERS_PAIRING = Operation(
    "show_players_pairing", "GET", "/tournaments/{tournament}/players/{player}/pairing", answers.PlayersPairing
)
SHOW_PROGRESS = Operation(
    "show_progress", "GET", "/tournaments/{tournament}/rounds/{round}/progress", answers.RoundProgress
)
SHOW_ROUND = Operation("show_round", "GET", "/tournaments/{tournament}/rounds/{round}", answers.RoundView)
SHOW_TIMETABLE = Operation("show_timetable", "GET", "/tournaments/{tournament}/timetable", answers.TimetableView)
SHOW_UNPUBLISHED = Operation(
    "show_unpublished", "GET", "/tournaments/{tournament}/unpublished", answers.UnpublishedView
)
START_ROUND = Operation(
    "start_round",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/start",
    answers.Appended,
    body=bodies.StartRoundBody,
)
TAKE_CALL = Operation("take_call", "POST", "/tournaments/{tournament}/calls/{call}/taking", answers.Appended)
WITHDRAW_CALL = Operation(
    "withdraw_call", "POST", "/tournaments/{tournament}/calls/{call}/withdrawal", answers.Appended
)
WITHDRAW_ROUND = Operation(
    "withdraw_round",
    "POST",
    "/tournaments/{tournament}/rounds/{round}/withdrawal",
    answers.Appended,
    body=bodies.WithdrawRoundBody,
)


class Pairing(Common):
    """Pairing."""

    _service = "pairing"
    _preview = answers.PairingPreview

    @overload
    def amend_pairings(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendPairingsBody],
    ) -> answers.PairingPreview: ...
    @overload
    def amend_pairings(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AmendPairingsBody],
    ) -> answers.Appended: ...
    def amend_pairings(self, tournament: str, round: int, **how: Any) -> Any:
        """Change pairings by hand, with a reason: swap two players, or give the new games. Send If-Match.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            AMEND_PAIRINGS,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def answer_call(
        self,
        tournament: str,
        call: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AnswerCallBody],
    ) -> answers.PairingPreview: ...
    @overload
    def answer_call(
        self,
        tournament: str,
        call: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.AnswerCallBody],
    ) -> answers.Appended: ...
    def answer_call(self, tournament: str, call: str, **how: Any) -> Any:
        """Answer a call, which ends it.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            ANSWER_CALL,
            (
                tournament,
                call,
            ),
            how,
        )

    @overload
    def call_judge(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CallJudge],
    ) -> answers.PairingPreview: ...
    @overload
    def call_judge(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CallJudge],
    ) -> answers.Appended: ...
    def call_judge(self, tournament: str, **how: Any) -> Any:
        """Call a judge to a table: players to their own, staff to any. Only staff and the caller can see the call.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._command(CALL_JUDGE, (tournament,), how)

    @overload
    def call_time(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CallTimeBody],
    ) -> answers.PairingPreview: ...
    @overload
    def call_time(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CallTimeBody],
    ) -> answers.Appended: ...
    def call_time(self, tournament: str, round: int, **how: Any) -> Any:
        """Make a time call, at one venue or at all: each once, in the ruleset's order.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            CALL_TIME,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def cancel_cut_publication(
        self, tournament: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.PairingPreview: ...
    @overload
    def cancel_cut_publication(
        self, tournament: str, *, preview: Literal[False] = False, if_match: Version = None, idempotency_key: str = ""
    ) -> answers.Appended: ...
    def cancel_cut_publication(self, tournament: str, **how: Any) -> Any:
        """Cancel the scheduled publication of the cut.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(CANCEL_CUT_PUBLICATION, (tournament,), how)

    @overload
    def cancel_publication(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CancelPublicationBody],
    ) -> answers.PairingPreview: ...
    @overload
    def cancel_publication(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.CancelPublicationBody],
    ) -> answers.Appended: ...
    def cancel_publication(self, tournament: str, round: int, **how: Any) -> Any:
        """Cancel the scheduled publication of a draft round.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            CANCEL_PUBLICATION,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def close_session_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.PairingPreview: ...
    @overload
    def close_session_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def close_session_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Close a round of sessions after every session has a binding result.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            CLOSE_SESSION_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    def copies_feed(
        self,
        *,
        source: Literal["registration", "scoring"] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show the positions of copied events in the feed of their source.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_FEED, (), {"source": source, "after": after, "limit": limit})

    def copies_heads(
        self,
        *,
        source: Literal["registration", "scoring"] | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show the heads of the copies of a source's logs, by tournament.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HEADS, (), {"source": source, "after": after, "limit": limit})

    def copies_held(self, *, source: Literal["registration", "scoring"] | None = None) -> Lines:
        """Show how much of a source's log is copied here. Its owner uses this to detect lost events.

        **Who may call it:** `operator`, `service`.
        """
        return self._lines(COPIES_HELD, (), {"source": source})

    @overload
    def extend_clock(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ExtendClockBody],
    ) -> answers.PairingPreview: ...
    @overload
    def extend_clock(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ExtendClockBody],
    ) -> answers.Appended: ...
    def extend_clock(self, tournament: str, round: int, **how: Any) -> Any:
        """Give a round, its part at one venue, or one of its games, more time, with a reason.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            EXTEND_CLOCK,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def give_up_seat(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveUpSeat],
    ) -> answers.PairingPreview: ...
    @overload
    def give_up_seat(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.GiveUpSeat],
    ) -> answers.Appended: ...
    def give_up_seat(self, tournament: str, **how: Any) -> Any:
        """Give up a seat. Until elimination is paired the next player moves up; later the opponent has a walkover.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(GIVE_UP_SEAT, (tournament,), how)

    def judge_round(
        self, tournament: str, round: int, *, known: answers.JudgementView | None = None
    ) -> answers.JudgementView:
        """Compare the latest round with the rules: list deviations, and the pairings that the rules would make.

        Use it when you change a round by hand, before you publish or start it. It refuses nothing. The preview of a
        change includes the judgement of the changed round (`moves.judgement`).

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._read(
            JUDGE_ROUND,
            (
                tournament,
                round,
            ),
            {},
            answers.JudgementView,
            known,
        )

    def list_calls(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        venue: str | None = None,
        game: str | None = None,
        status: Literal["open", "waiting", "taken", "answered", "withdrawn"] | None = None,
    ) -> answers.JudgeCallViewPage:
        """List calls in the order they came: to staff all of them, to a player their own.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._read(
            LIST_CALLS,
            (tournament,),
            {"after": after, "limit": limit, "venue": venue, "game": game, "status": status},
            answers.JudgeCallViewPage,
        )

    def list_held_games(self, tournament: str, round: int, *, venue: str | None = None) -> answers.HeldGames:
        """List the games that did not start with their round, the players whose lists they wait for, and the remedies.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._read(
            LIST_HELD_GAMES,
            (
                tournament,
                round,
            ),
            {"venue": venue},
            answers.HeldGames,
        )

    def list_rounds(
        self,
        tournament: str,
        *,
        after: str | None = None,
        limit: int | None = None,
        venue: str | None = None,
        known: answers.RoundsView | None = None,
    ) -> answers.RoundsView:
        """List the rounds, all at once or in pages, with the planned number of rounds and the spare players on
        standby.

        With `venue`, the rounds count the games of this venue, and the spare players are those who can play there.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            LIST_ROUNDS, (tournament,), {"after": after, "limit": limit, "venue": venue}, answers.RoundsView, known
        )

    def list_session_rounds(
        self, tournament: str, *, venue: str | None = None, known: answers.SessionRoundsView | None = None
    ) -> answers.SessionRoundsView:
        """List the rounds of sessions with their tables.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_SESSION_ROUNDS, (tournament,), {"venue": venue}, answers.SessionRoundsView, known)

    def list_tables(
        self, tournament: str, *, venue: str | None = None, known: answers.TablesView | None = None
    ) -> answers.TablesView:
        """List the tables of every venue, with the game at each table.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(LIST_TABLES, (tournament,), {"venue": venue}, answers.TablesView, known)

    def log(
        self,
        tournament: str,
        *,
        source: Literal["pairing", "registration", "scoring"] | None = None,
        after: int | None = None,
        limit: int | None = None,
    ) -> Lines:
        """Show one log of a tournament in order: the audit trail, and the events that a subscriber missed.

        A token limited to some types of events leaves out the others, so that positions have gaps.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._lines(LOG, (tournament,), {"source": source, "after": after, "limit": limit})

    @overload
    def make_cut(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MakeCut],
    ) -> answers.PairingPreview: ...
    @overload
    def make_cut(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MakeCut],
    ) -> answers.Appended: ...
    def make_cut(self, tournament: str, **how: Any) -> Any:
        """Make the cut: choose the players of the elimination stage from the recorded standings.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(MAKE_CUT, (tournament,), how)

    @overload
    def move_table(
        self,
        tournament: str,
        round: int,
        game: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MoveTableBody],
    ) -> answers.PairingPreview: ...
    @overload
    def move_table(
        self,
        tournament: str,
        round: int,
        game: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.MoveTableBody],
    ) -> answers.Appended: ...
    def move_table(self, tournament: str, round: int, game: str, **how: Any) -> Any:
        """Move a game to another table without changing the pairing. Send If-Match.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            MOVE_TABLE,
            (
                tournament,
                round,
                game,
            ),
            how,
        )

    @overload
    def offer_spare(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OfferSpare],
    ) -> answers.PairingPreview: ...
    @overload
    def offer_spare(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OfferSpare],
    ) -> answers.Appended: ...
    def offer_spare(self, tournament: str, **how: Any) -> Any:
        """Put a member of staff on standby as the spare player, who plays against a player who would have a bye.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(OFFER_SPARE, (tournament,), how)

    @overload
    def open_session_round(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenSessionRound],
    ) -> answers.PairingPreview: ...
    @overload
    def open_session_round(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.OpenSessionRound],
    ) -> answers.Appended: ...
    def open_session_round(self, tournament: str, **how: Any) -> Any:
        """Seat the next round of sessions, or enter its tables by hand.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(OPEN_SESSION_ROUND, (tournament,), how)

    @overload
    def pair_round(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PairRound],
    ) -> answers.PairingPreview: ...
    @overload
    def pair_round(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.PairRound],
    ) -> answers.Paired: ...
    def pair_round(self, tournament: str, **how: Any) -> Any:
        """Pair the next round by the ruleset, or enter it by hand.

        If each venue is paired by itself (`pairing_scope`), a venue can be paired as soon as its own last round is
        closed: name it.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(PAIR_ROUND, (tournament,), how)

    @overload
    def publish_cut(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Publication],
    ) -> answers.PairingPreview: ...
    @overload
    def publish_cut(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Publication],
    ) -> answers.Appended: ...
    def publish_cut(self, tournament: str, **how: Any) -> Any:
        """Publish a draft cut, now or at a given time.

        The cut starts as a draft if the tournament says so (`on_purpose`). At the given time the service publishes
        the cut in its form at that time.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(PUBLISH_CUT, (tournament,), how)

    @overload
    def publish_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RoundPublication],
    ) -> answers.PairingPreview: ...
    @overload
    def publish_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.RoundPublication],
    ) -> answers.Appended: ...
    def publish_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Publish a draft round, or its part at one venue, now or at a given time.

        Rounds start as drafts if the tournament says so (`on_purpose`). At the given time the service publishes the
        round in its form at that time.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            PUBLISH_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def recall_spare(
        self,
        tournament: str,
        *,
        preview: Literal[True],
        staff: str | None = None,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.PairingPreview: ...
    @overload
    def recall_spare(
        self,
        tournament: str,
        *,
        preview: Literal[False] = False,
        staff: str | None = None,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def recall_spare(self, tournament: str, **how: Any) -> Any:
        """Take spare players off standby. With an odd number of players there is a bye again.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(RECALL_SPARE, (tournament,), how)

    def recopy_from_owner(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.PairingRecopy]
    ) -> answers.RecopiedView:
        """Replace a copy that differs from its owner's log; the replaced events are kept aside.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.RecopiedView = self._command(RECOPY_FROM_OWNER, (), how)
        return made

    def recover_from_peers(
        self, *, idempotency_key: str = "", **body: Unpack[bodies.PairingRecover]
    ) -> answers.Recovered:
        """Restore events of this service's log that its database has lost and its peers still hold.

        **Who may call it:** `operator`.
        """
        how: dict[str, Any] = {"idempotency_key": idempotency_key, **body}
        made: answers.Recovered = self._command(RECOVER_FROM_PEERS, (), how)
        return made

    @overload
    def repair_round(
        self,
        tournament: str,
        round: int,
        /,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Repairing],
    ) -> answers.PairingPreview: ...
    @overload
    def repair_round(
        self,
        tournament: str,
        round: int,
        /,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.Repairing],
    ) -> answers.Paired: ...
    def repair_round(self, tournament: str, round: int, /, **how: Any) -> Any:
        """Take back a round that has not started, and pair it again, in one step.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            REPAIR_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def reseat_table(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReseatTableBody],
    ) -> answers.PairingPreview: ...
    @overload
    def reseat_table(
        self,
        tournament: str,
        session: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.ReseatTableBody],
    ) -> answers.Appended: ...
    def reseat_table(self, tournament: str, session: str, **how: Any) -> Any:
        """Set the survivors of a table that is not set up yet. A table without survivors is not played. Send If-Match.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            RESEAT_TABLE,
            (
                tournament,
                session,
            ),
            how,
        )

    def show_bracket(self, tournament: str, *, known: answers.BracketView | None = None) -> answers.BracketView:
        """Show the bracket as a tree of past and future games; empty if no cut has been made.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_BRACKET, (tournament,), {}, answers.BracketView, known)

    def show_calendar(self, tournament: str, *, venue: str | None = None) -> str:
        """Show the timetable as an iCalendar feed. A round is an all-day event until it starts.

        With `venue`, rounds have the times of its part, in its time zone, and its address.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._text(SHOW_CALENDAR, (tournament,), {"venue": venue}, "text/calendar")

    def show_call(self, tournament: str, call: str) -> answers.JudgeCallView:
        """Show a call. Only staff and the caller can see it.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._read(
            SHOW_CALL,
            (
                tournament,
                call,
            ),
            {},
            answers.JudgeCallView,
        )

    def show_clock(self, tournament: str, *, venue: str | None = None) -> answers.ClockView:
        """Show the clock of the round that is being played, with its time calls; with the clock of each venue.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_CLOCK, (tournament,), {"venue": venue}, answers.ClockView)

    def show_cut(self, tournament: str, *, known: answers.CutView | None = None) -> answers.CutView:
        """Show the seats of the cut in seeding order; empty if no cut has been made.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_CUT, (tournament,), {}, answers.CutView, known)

    def show_pairing(
        self, tournament: str, round: int, game: str, *, known: answers.PairingView | None = None
    ) -> answers.PairingView:
        """Show a game of a round.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_PAIRING,
            (
                tournament,
                round,
                game,
            ),
            {},
            answers.PairingView,
            known,
        )

    def show_players_pairing(
        self, tournament: str, player: str, *, known: answers.PlayersPairing | None = None
    ) -> answers.PlayersPairing:
        """Show a player's game in the latest round.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_PLAYERS_PAIRING,
            (
                tournament,
                player,
            ),
            {},
            answers.PlayersPairing,
            known,
        )

    def show_progress(self, tournament: str, round: int, *, venue: str | None = None) -> answers.RoundProgress:
        """Show how far each venue is with a round: results, disputes, calls, pace, and a forecast of its last result.

        The forecast assumes that results keep coming as in the last fifteen minutes, but no game outlasts the
        clock.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_PROGRESS,
            (
                tournament,
                round,
            ),
            {"venue": venue},
            answers.RoundProgress,
        )

    def show_round(
        self,
        tournament: str,
        round: int,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        venue: str | None = None,
        status: Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"] | None = None,
        q: str | None = None,
        sort: Literal["pairing", "table"] | None = None,
        since: str | None = None,
        known: answers.RoundView | None = None,
    ) -> answers.RoundView:
        """Show a round with its pairings: all, a page, or those that changed since an earlier answer.

        Send the ETag as If-Match with any command that changes the round.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(
            SHOW_ROUND,
            (
                tournament,
                round,
            ),
            {
                "after": after,
                "limit": limit,
                "around": around,
                "venue": venue,
                "status": status,
                "q": q,
                "sort": sort,
                "since": since,
            },
            answers.RoundView,
            known,
        )

    def show_round_csv(
        self,
        tournament: str,
        round: int,
        *,
        after: str | None = None,
        limit: int | None = None,
        around: str | None = None,
        venue: str | None = None,
        status: Literal["bye", "open", "reported", "disputed", "confirmed", "ruled", "corrected"] | None = None,
        q: str | None = None,
        sort: Literal["pairing", "table"] | None = None,
        since: str | None = None,
    ) -> str:
        """As `show_round`, as comma-separated values with a header."""
        return self._text(
            SHOW_ROUND,
            (
                tournament,
                round,
            ),
            {
                "after": after,
                "limit": limit,
                "around": around,
                "venue": venue,
                "status": status,
                "q": q,
                "sort": sort,
                "since": since,
            },
            "text/csv",
        )

    def show_timetable(self, tournament: str, *, known: answers.TimetableView | None = None) -> answers.TimetableView:
        """Show the planned rounds by day, with their duration and break, and recommendations that the event ignores.

        **Who may call it:** everybody, where the tournament is public.
        """
        return self._read(SHOW_TIMETABLE, (tournament,), {}, answers.TimetableView, known)

    def show_unpublished(self, tournament: str) -> answers.UnpublishedView:
        """Summarise unpublished data, which is in no log and no feed: drafts and calls. Poll it every few seconds.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `service`.
        """
        return self._read(SHOW_UNPUBLISHED, (tournament,), {}, answers.UnpublishedView)

    @overload
    def start_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.StartRoundBody],
    ) -> answers.PairingPreview: ...
    @overload
    def start_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.StartRoundBody],
    ) -> answers.Appended: ...
    def start_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Start the clock of a round, or of its part at one venue. This is refused if a player of it has left.

        Players without an accepted list hold up only their own game; GET …/rounds/{n}/held lists these games.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            START_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )

    @overload
    def take_call(
        self, tournament: str, call: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.PairingPreview: ...
    @overload
    def take_call(
        self,
        tournament: str,
        call: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def take_call(self, tournament: str, call: str, **how: Any) -> Any:
        """Take a call. The caller sees that you are on the way.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`.
        """
        return self._command(
            TAKE_CALL,
            (
                tournament,
                call,
            ),
            how,
        )

    @overload
    def withdraw_call(
        self, tournament: str, call: str, *, preview: Literal[True], if_match: Version = None, idempotency_key: str = ""
    ) -> answers.PairingPreview: ...
    @overload
    def withdraw_call(
        self,
        tournament: str,
        call: str,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
    ) -> answers.Appended: ...
    def withdraw_call(self, tournament: str, call: str, **how: Any) -> Any:
        """Withdraw a call before it is answered. The caller or staff can do it.

        **Who may call it:** `operator`, `organiser`, `head_referee`, `referee`, `player`, `spare`.
        """
        return self._command(
            WITHDRAW_CALL,
            (
                tournament,
                call,
            ),
            how,
        )

    @overload
    def withdraw_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[True],
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawRoundBody],
    ) -> answers.PairingPreview: ...
    @overload
    def withdraw_round(
        self,
        tournament: str,
        round: int,
        *,
        preview: Literal[False] = False,
        if_match: Version = None,
        idempotency_key: str = "",
        **body: Unpack[bodies.WithdrawRoundBody],
    ) -> answers.Appended: ...
    def withdraw_round(self, tournament: str, round: int, **how: Any) -> Any:
        """Take back the latest round, or its part at one venue, before it starts.

        An organiser can do so until a game of it is reported.

        **Who may call it:** `operator`, `organiser`, `head_referee`.
        """
        return self._command(
            WITHDRAW_ROUND,
            (
                tournament,
                round,
            ),
            how,
        )
