"""In whatever order corrections and merges arrive, the final table is the same as without corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from services.registration.handlers import HANDLERS as REGISTRATION
from services.registration.season_identities import MergeIdentities, SplitIdentity
from services.scoring.handlers import HANDLERS as SCORING
from services.scoring.season_results import CurrentResults, TakeResults
from shared.formats.fold import decode, encode, fold
from shared.formats.packs import shipped_ruleset
from shared.log.event import EMPTY_HEAD, Actor, Head, Recorded
from shared.log.log import Entry, Stamp, chain_events
from shared.rules.parts import to_json
from shared.season.entries import EntryClaimed, TournamentGathered
from shared.season.ranking import recorded_rows, same_standings, table_of
from shared.season.state import SEASON, LogEnd
from shared.service.commands import entries_of, recorded_entries
from shared.tournament.format import GameTaken, ResultRow
from shared.tournament.guards import By, Context, by_rule, recorded_actor
from shared.tournament.registration import PlayerJoined, TournamentAnnounced
from shared.tournament.state import Tournament
from tests.acting import acting
from tests.auditing import decided_again
from tests.draws import oracle_of
from tests.examples import examples

CUPS = ("t-1", "t-2", "t-3")
PLAYERS = tuple(f"p{number}" for number in range(1, 7))
ENTRIES = PLAYERS[:4]
ORGANISER = By("organiser", "organiser")
PACKS = {name: to_json(shipped_ruleset(name)) for name in ("season-points", "season-league")}


class Log:
    """A season's own logs, built event by event as the services decide."""

    def __init__(self, pack: str, claims: dict[str, Sequence[str]]) -> None:
        self.state = Tournament()
        self.logs: dict[str, list[Recorded]] = {"registration": [], "scoring": []}
        self.positions = dict.fromkeys(CUPS, 0)
        self.say("registration", TournamentAnnounced(name="League", format="season", ruleset=PACKS[pack]))
        for player in PLAYERS:
            self.say("registration", PlayerJoined(player=player, name=player))
        for day, cup in enumerate(CUPS, start=1):
            gathered = {
                "tournament": cup,
                "name": cup,
                "format": "swiss",
                "ruleset": "x",
                "played_on": f"2026-03-{day:02}",
            }
            self.say("registration", TournamentGathered(**gathered))
            for entry, player in zip(ENTRIES, claims[cup], strict=True):
                self.say("registration", EntryClaimed(player=player, tournament=cup, entry=entry))

    def head(self, source: str) -> Head:
        log = self.logs.get(source)
        return Head(log[-1].position, log[-1].hash) if log else EMPTY_HEAD

    def say(self, source: str, *events: Any) -> None:
        self._append(source, entries_of(events), acting("x"))

    def _append(self, source: str, entries: Sequence[Entry], actor: Actor) -> None:
        seen = {other: self.head(other).position for other in self.logs if other != source}
        stamp = Stamp(actor, f"c{sum(map(len, self.logs.values()))}", "2026-02-01T10:00:00.000Z", seen)
        made = chain_events(source, "t-season", self.head(source), entries, stamp)
        self.logs[source] += made
        fold(self.state, made)

    def decide(self, source: str, command: Any) -> None:
        heads = {name: self.head(name) for name in ("registration", "pairing", "scoring")}
        by = by_rule("results follow") if isinstance(command, TakeResults) else ORGANISER
        context = Context(by, "2026-02-01T10:00:00.000Z", heads, source, oracle_of(self.state, source))
        before = encode(self.state)
        row = (REGISTRATION if source == "registration" else SCORING)[type(command)]
        events = row.decide(self.state, command, context)
        assert encode(self.state) == before
        if events:
            entries = recorded_entries(events, command, by.authority, row.form)
            self._append(source, entries, recorded_actor(self.state, by))

    def take(self, cup: str, rows: list[ResultRow]) -> None:
        self.positions[cup] += 1
        ends = {"scoring": LogEnd(source="scoring", position=self.positions[cup], hash="ab")}
        self.decide("scoring", TakeResults(found=[CurrentResults(tournament=cup, rows=rows, heads=ends)]))

    def merge(self, player: str, into: str) -> None:
        self.decide("registration", MergeIdentities(player=player, into=into, reason="one person"))

    def split(self, player: str, into: str) -> None:
        self.decide("registration", SplitIdentity(player=player, into=into, reason="two people"))

    def end(self) -> None:
        """Return the standings of the current state. All logs must pass the audit."""
        self.decide("scoring", TakeResults())
        assert decided_again(self.logs, "scoring") == []
        assert fold(decode(encode(Tournament())), [event for log in self.logs.values() for event in log]) == self.state

    def standings(self) -> Any:
        return SEASON.of(self.state).table.rows if SEASON.of(self.state).table else []


def results(order: Sequence[str]) -> list[ResultRow]:
    """Return a tournament in which neighbours of the order have met, with places in that order."""
    rows = []
    for place, entry in enumerate(order, start=1):
        won = place % 2 == 1
        opponent = order[place if won else place - 2]
        game = GameTaken(outcome="win" if won else "loss", opponent=opponent, score=9 - place, against=place, round=1)
        rows.append(ResultRow(entry=entry, name=entry, place=place, score=10 - place, games=[game]))
    return rows


orders = st.permutations(ENTRIES)
claims = st.fixed_dictionaries({cup: st.permutations(PLAYERS).map(lambda found: found[:4]) for cup in CUPS})
finals_of_cups = st.fixed_dictionaries(dict.fromkeys(CUPS, orders))
packs = st.sampled_from(sorted(PACKS))


def met(claims: dict[str, Sequence[str]], finals: dict[str, Sequence[str]], versions: Any) -> set[frozenset[str]]:
    """Return the pairs of players who met in any version of any result."""
    pairs = set()
    for cup in CUPS:
        who = dict(zip(ENTRIES, claims[cup], strict=True))
        for order in [*versions[cup], finals[cup]]:
            pairs |= {frozenset((who[one], who[two])) for one, two in zip(order[::2], order[1::2], strict=True)}
    return pairs


@settings(deadline=None, max_examples=examples(60))
@given(
    packs,
    claims,
    st.fixed_dictionaries(dict.fromkeys(CUPS, st.lists(orders, max_size=2))),
    finals_of_cups,
    st.lists(st.tuples(st.sampled_from(PLAYERS[1:]), st.just(PLAYERS[0])), max_size=3, unique=True),
    st.randoms(use_true_random=False),
)
def test_order_of_corrections_and_merges_does_not_matter(pack, claims, versions, finals, merges, random):
    forbidden = met(claims, finals, versions)
    together: list[tuple[str, str]] = []
    for player, into in merges:  # nobody is merged with somebody they have met, on whichever way
        party = {into, *(one for one, _ in together)}
        if not any(frozenset((player, one)) in forbidden for one in party):
            together.append((player, into))
    queues: list[list[Any]] = [[(cup, order) for order in [*versions[cup], finals[cup]]] for cup in CUPS]
    queues += [[merge] for merge in together]

    plain = Log(pack, claims)
    for cup in CUPS:
        plain.take(cup, results(finals[cup]))
    for player, into in together:
        plain.merge(player, into)
    plain.end()

    mixed = Log(pack, claims)
    while any(queues):
        step = random.choice([queue for queue in queues if queue]).pop(0)
        if step[0] in CUPS:
            mixed.take(step[0], results(step[1]))
        else:
            mixed.merge(*step)
    mixed.end()
    assert same_standings(mixed.standings(), plain.standings())
    assert same_standings(recorded_rows(table_of(mixed.state), None), mixed.standings())


@settings(deadline=None, max_examples=examples(40))
@given(packs, claims, finals_of_cups, st.permutations(PLAYERS[1:3]))
def test_merge_and_split_restore_the_table(pack, claims, finals, others):
    log = Log(pack, claims)
    for cup in CUPS:
        log.take(cup, results(finals[cup]))
    log.end()
    before, forbidden = log.standings(), met(claims, finals, dict.fromkeys(CUPS, ()))
    party = [PLAYERS[0]]
    for other in others:
        if not any(frozenset((one, other)) in forbidden for one in party):
            log.merge(other, PLAYERS[0])
            party.append(other)
    log.end()
    for other in party[1:]:
        log.split(PLAYERS[0], other)
    log.end()
    assert same_standings(log.standings(), before)


@settings(deadline=None, max_examples=examples(30))
@given(claims, finals_of_cups)
def test_older_results_are_ignored(claims, finals):
    assume(finals["t-1"] != finals["t-2"])
    log = Log("season-points", claims)
    log.take("t-1", results(finals["t-1"]))
    log.take("t-1", results(finals["t-2"]))
    log.end()
    before = encode(log.state)
    ends = {"scoring": LogEnd(source="scoring", position=1, hash="ab")}
    log.decide(
        "scoring", TakeResults(found=[CurrentResults(tournament="t-1", rows=results(finals["t-3"]), heads=ends)])
    )
    assert encode(log.state) == before
