"""A page that knows nothing but `GET …/groups/{group}/post-game` can play a whole phase (FS-PGP-1).

Every listed choice is accepted, every step can be finished, and nothing that the rules allow is missing. The rules' own
enumeration tries each choice with every combination of members, goods and words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import Any, get_args

import pytest

from services.scoring.campaign_phase import rivals_of
from shared.campaign.choices import PLAYER_CHOICES, decide, sample_context
from shared.campaign.encounters import span_of
from shared.campaign.league import current_groups
from shared.campaign.roster import Group
from shared.campaign.state import CAMPAIGN, rules_at
from shared.campaign.steps import DecisionContext
from shared.campaign.words import Attribute
from shared.refusals import Refusal
from tests.campaign.services.games_story import Games, roll
from tests.services.story import Answer, Json

New = Callable[..., Games]
Look = Callable[[Games, str, Json], None]
"""Called with each answer of a group."""

FORCES = (
    *("brotherhood_of_steel", "enclave", "raiders", "regulators"),
    *("super_mutants", "talon_company", "vault_residents", "wasteland_survivors"),
)
PLAYERS = tuple(f"p{number}" for number in range(1, len(FORCES) + 1))
MOST_REQUESTS = 12
ORDER = (
    *("take_offer", "decline_offer", "choose_clean_home", "reroll_injury", "roll_injury", "check_jail", "claim_reward"),
    *("claim_turf", "award_experience", "choose_perk", "choose_attribute", "roll_advancement", "shift_find"),
    *("resolve_encounter", "visit_turf", "scavenge", "feast", "settle_upkeep", "search_building", "seek_merchant"),
    *("quote_price", "build", "see_doctor", "hire", "end_turn"),
)
"""What a diligent player does, in this order; choices of one kind are sent together."""

ONCE = (
    *("choose_clean_home", "quote_price", "see_doctor", "seek_merchant", "hire", "search_building", "claim_reward"),
    *("reroll_injury", "feast"),
)


OUTINGS = ("visit_turf", "scavenge")
FINAL = (
    *("roll_injury", "check_jail", "claim_reward", "claim_turf", "award_experience", "choose_perk"),
    *("choose_attribute", "take_offer", "build", "see_doctor", "search_building"),
)
"""What a diligent player does last in its step."""


def close(step: str) -> Json:
    return {"does": "close_step", "of": {"step": step}, "leave": True}


class Page:
    """A player's page: it shows one answer and sends what was listed there."""

    def __init__(self, games: Games, group: str, chance: Random) -> None:
        self.games, self.group, self.chance = games, group, chance
        self.requests = 0
        self.done: Counter[str] = Counter()

    def answer(self) -> Json:
        found = self.games.get(f"/groups/{self.group}/post-game")
        assert found.status == 200, found
        return dict(found.body)

    def send(self, *choices: Json) -> Answer:
        """Send choices in one request; hiring and the end of a turn go alone."""
        self.requests += 1
        if choices[0]["does"] in ("hire", "end_turn"):
            (one,) = choices
            answer = self.games.post(f"/groups/{self.group}/choices", one, self.group)
        else:
            answer = self.games.post(f"/groups/{self.group}/choices/list", {"choices": list(choices)}, self.group)
        self.done.update(one["does"] for one in choices)
        return answer

    def play(self, now: Json) -> None:
        """Do what a diligent player does, or close the steps that can be closed together."""
        listed = [choice for choice in now["choices"] if choice["legal"] and not choice["effects"]["refused"]]
        for does in ORDER:
            chosen = [choice for choice in listed if choice["does"] == does]
            if does == "settle_upkeep" or not chosen or self.done[f"{now['step']} {does}"]:
                continue
            if does in ONCE:
                self.done[f"{now['step']} {does}"] += 1
                chosen = [self.chance.choice(chosen)]
            if does in OUTINGS:
                chosen = [choice for choice in listed if choice["does"] in OUTINGS]
            chosen = self._apart(chosen)
            last = len(chosen) == 1 and does in FINAL
            closing = [close(step) for step in chosen[0]["effects"]["closes"]] if last else []
            self._send_listed(chosen, *closing)
            return
        upkeep = [choice for choice in listed if choice["does"] == "settle_upkeep"]
        settling = [choice for choice in listed if choice["does"] in ("take_injury", "forgo_reward")]
        if now["waits_for"] and not upkeep:
            assert settling, f"{self.group} cannot finish step {now['step']}: {now['waits_for']}"
            self._send_listed(settling[:1])
        else:
            closes = upkeep[0]["effects"]["closes"] if upkeep else now["closes"]
            self._send_listed(upkeep, *map(close, closes))

    def _send_listed(self, chosen: list[Json], *closing: Json) -> None:
        sent = self.send(*map(self._body, chosen), *closing)
        assert sent.status == 201, (chosen, closing, sent)

    def _body(self, choice: Json) -> Json:
        return {"does": choice["does"], "of": choice["of"], "service": True, "leave": bool(choice["leaves"])}

    def _apart(self, chosen: list[Json]) -> list[Json]:
        """Return choices that do not exclude each other: one for each member and each turf."""
        taken: set[str] = set()
        apart = []
        for choice in self.chance.sample(chosen, len(chosen)):
            named = {str(choice["of"][name]) for name in ("member", "turf", "parts") if name in choice["of"]}
            if choice["of"].get("free"):
                named |= {"free"}
            if not named & taken and (named or not apart):
                apart.append(choice)
                taken |= named
        return apart


def reported(games: Games, game: str, chance: Random) -> None:
    """Prepare and report a game with random deeds. Members who cannot be fielded stay at home."""
    fielded: list[list[str]] = []
    one, two = games.players(game)
    for group, rival in ((one, two), (two, one)):
        sheets = games.get(f"/groups/{group}").body["sheets"]
        fielded.append([sheet["id"] for sheet in sheets if not sheet["stays_home"]])
        body = {"group": group, "fielded": fielded[-1]}
        assert games.post(f"/games/{game}/muster", body).status == 201
        assert games.objective(game, group, roll(chance.randint(1, 12), by=group, seen=rival)).status == 201
    while due := games.due(game):
        _, _, group, what, *_ = due[0].split("/")
        assert games.post(f"/games/{game}/{what}", {"group": group}).status == 201
    kinds: list[Json] = [{}, {}, {"down": "fall"}, {"locks": 1, "rads": 2}]
    deeds = [{member: chance.choice(kinds) for member in members} for members in fielded]
    if all(fielded):
        killer, victim = fielded[0][0], fielded[1][-1]
        deeds[0][killer] = {"wounds": 1, "models": 1, "kills": 1, "took": [victim]}
        deeds[1][victim] = {"down": "rival", "by": killer, "melee": True}
    lines = chance.choice([((5, 4), (5,)), ((1,), (4, 3)), ((2,), (2,))])
    answer = games.report(game, lines=lines, deeds=deeds)
    assert answer.status == 201, answer


def played(games: Games, chance: Random, look: Look) -> dict[str, int]:
    """Play one phase of all groups by their answers. look: called with each answer. Return requests by group."""
    pages = {group: Page(games, group, chance) for group in PLAYERS}
    for group, page in pages.items():
        _until(games, group, page, "4", look)
    assert games.post("/recruits", {}).status == 201
    while turn := pages["p1"].answer()["turn"]:
        now = pages[turn].answer()
        look(games, turn, now)
        pages[turn].play(now)
    for group, page in pages.items():
        _until(games, group, page, None, look)
    assert games.get("/post-game").body["closed"] is True
    return {group: page.requests for group, page in pages.items()}


def _until(games: Games, group: str, page: Page, end: str | None, look: Look) -> None:
    for _ in range(100):
        now = page.answer()
        if now["step"] == end:
            return
        look(games, group, now)
        page.play(now)
    raise AssertionError(f"{group} does not come to an end: {now}")


def unlisted(games: Games, group: str, now: Json) -> list[tuple[str, Json]]:
    """Return what the rules allow a group now and its answer does not list."""
    state = games.state
    rules, groups = rules_at(state.entries, 1), current_groups(state)
    context = sample_context(rules, groups[group], rivals_of(state, rules, groups, group), CAMPAIGN.of(state).pool)
    return [(does, args) for does, args in _allowed(context) if not _is_listed(now, does, args)]


def _allowed(context: DecisionContext) -> Iterator[tuple[str, Json]]:
    """Yield every choice that the rules allow, tried with every combination of words.

    A combination with a word that changes nothing is left out, since it is the same choice without the word.
    """
    for does in PLAYER_CHOICES:
        for args in _combinations(context, does):
            events = _decided(context, does, args)
            fewer = ({name: value for name, value in args.items() if name != dropped} for dropped in args)
            if events and all(_decided(context, does, less) != events for less in fewer):
                yield does, args


def _decided(context: DecisionContext, does: str, args: Json) -> list[Any]:
    """Return the events of a choice with sample dice; empty if it is refused."""
    fresh = sample_context(context.rules, context.group, context.rivals, context.pool)
    try:
        return list(decide(fresh, does, args, leave=True))
    except Refusal:
        return []


def _combinations(context: DecisionContext, does: str) -> Iterator[Json]:
    """Yield arguments of a choice: every combination of the words of its members."""
    if does == "resolve_encounter":
        yield from _meetings(context)
        return
    takes = PLAYER_CHOICES[does].takes
    words = _words(context, does)
    fields = [name for name in takes.__struct_fields__ if name in words]
    for values in product(*(words[name] for name in fields)):
        yield {name: value for name, value in zip(fields, values, strict=True) if value is not None}


def _words(context: DecisionContext, does: str) -> Mapping[str, Iterable[Any]]:
    rules, group = context.rules, context.group
    merchants = {offer.item for merchant in rules.merchants.values() for offer in merchant.goods}
    goods = [*rules.forces[group.force].goods, "jet", "mentats", "frag_grenade", "nuka_grenade", "radaway"]
    optional = does in ("claim_reward", "choose_clean_home")
    members: list[Any] = [*group.ids, *([None] if optional else [])]
    injuries = [None, *(row.injury for row in rules.injuries)] if does in ("claim_reward", "see_doctor") else ()
    return {
        "member": members,
        "injury": [row.injury for row in rules.injuries] if does == "use_bag" else injuries or [None],
        "choice": _ways(does),
        "how": ["kill", "send_away"],
        "good": [None, *goods]
        if does in ("visit_turf", "claim_reward")
        else goods
        if does == "buy_from_list"
        else [None],
        "turf": [turf.id for turf in group.turfs],
        "item": [item.id for item in group.items],
        "holder": [None, *group.ids],
        "perk": list(rules.advancement.perks),
        "attribute": get_args(Attribute),
        "free": [None, True],
        "shift": [-1, 0, 1],
        "winner": group.ids,
        "food": ["clean", "radiated"],
        "amount": [1, 2],
        "recruit": [recruit.id for recruit in context.pool.recruits] if context.pool else [],
        "merchant": list(rules.merchants),
        "companions": [None, *([id] for id in group.ids)],
        "line": sorted(merchants) if does == "quote_price" else [None],
        "seller": [None, *group.ids],
        "searchers": [list(pair) for pair in combinations(group.ids, 2)],
        "parts": [item.id for item in group.items],
        "treatment": list(rules.core.treatments),
    }


def _ways(does: str) -> list[str | None]:
    if does == "visit_turf":
        return ["income", "sell", "keep", "build", "invention", "half_price_weapon"]
    return ["medical_lab", "restaurant", "radaway"] if does == "choose_clean_home" else ["sell", "build"]


def _meetings(context: DecisionContext) -> Iterator[Json]:
    for member in context.phase.encounters:
        for ending in ("escaped", "member_killed", "creatures_killed", "searched", "slaves_met"):
            yield {"member": member, "ending": ending}
            for met, card in context.rules.encounters.cards.items():
                yield {"member": member, "ending": ending, "met": met}
                for number in range(*span_of(card)):
                    yield {"member": member, "ending": ending, "met": met, "number": number}
                    yield {"member": member, "ending": ending, "met": met, "number": number, "wounds": 1}


def _is_listed(now: Json, does: str, args: Json) -> bool:
    """Return True if the answer lists a choice with these arguments, or says that it takes them."""
    if does == "move_item":
        return any(item["id"] == args["item"] and args.get("holder", "") in item["holders"] for item in now["items"])
    return any(
        choice["does"] == does and all(_fits(choice, name, value) for name, value in args.items())
        for choice in now["choices"]
    )


def _fits(choice: Json, name: str, value: Any) -> bool:
    if choice["of"].get(name) == value:
        return True
    taken = next((taken for taken in choice["takes"] if taken["name"] == name), None)
    if taken is None:
        return False
    if taken["many"]:
        return set(value) <= set(taken["values"]) and taken["least"] <= len(value) <= taken["most"]
    return value in taken["values"] if taken["values"] else taken["flag"] or taken["least"] <= value <= taken["most"]


def campaign(games: New, seed: str, rounds: int, look: Look) -> list[int]:
    """Play rounds of all eight forces by their answers. Return the number of requests of every phase."""
    chance = Random(seed)
    league = games(*FORCES, paired=None)
    requests: list[int] = []
    for number in range(1, rounds + 1):
        order = chance.sample(PLAYERS, len(PLAYERS))
        league.paired(number, *zip(order[::2], order[1::2], strict=True))
        for game in range(1, len(PLAYERS) // 2 + 1):
            reported(league, f"r{number}g{game}", chance)
        requests += played(league, chance, look).values()
    return requests


@pytest.mark.clause("FS-PGP-1", "FS-PGP-2", "FS-PGP-4", "FS-RND-1")
def test_every_force_plays_a_phase_by_its_answers_alone(games: New) -> None:
    """Nothing listed is refused, nothing legal is missing, and a phase takes at most twelve requests on average."""
    looked: set[tuple[str, str]] = set()

    def look(games: Games, group: str, now: Json) -> None:
        mentioned = {str(value) for choice in now["choices"] for value in choice["of"].values()}
        known: Group = games.group(group)
        assert {*known.ids, *(item.id for item in known.items)} <= set(now["names"])
        assert not {word for word in mentioned if word.startswith(("m-", "i-", "t-"))} - set(now["names"])
        if (group, now["step"]) not in looked:
            looked.add((group, now["step"]))
            assert unlisted(games, group, now) == []

    requests = campaign(games, "by answers", 1, look)
    assert sum(requests) / len(requests) <= MOST_REQUESTS, requests


@pytest.mark.clause("FS-PGP-1", "FS-RND-1")
@pytest.mark.timeout(5400)
@pytest.mark.parametrize("number", range(40))
def test_campaigns_of_five_rounds_are_played_by_answers_alone(games: New, number: int) -> None:
    """Two hundred rounds of every force: every step comes to its end, and nothing listed is refused."""
    campaign(games, f"by answers {number}", 5, lambda games, group, now: None)
