"""The decision to play a campaign by another version of its ruleset, from a round on; and which rounds it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from services.registration.campaign.commands import MoveRuleset
from services.registration.tournament.refusals import RulesetMoveRefused
from shared.campaign.league import groups_of, round_at_hand
from shared.campaign.roster import Group
from shared.campaign.ruleset import CampaignRuleset
from shared.campaign.state import ENLISTED, campaign_ruleset
from shared.campaign.tables import Rules
from shared.formats.options import from_json
from shared.log.event import Event
from shared.refusals import Fault, expects, shown
from shared.rules.parts import Setting
from shared.tournament.guards import Context, running
from shared.tournament.people import Entries
from shared.tournament.registration import RulesetMoved
from shared.tournament.state import Tournament

CLAUSE = "FS-AUD-3"
"""What a campaign is played by is pinned, and named by every roll."""
_VERSION = re.compile(r"-\d+(\.\d+)*$")


def move(state: Tournament, command: MoveRuleset, context: Context) -> Sequence[Event]:
    """The whole new pack, from a round that is not paired yet; the same game, with the options that were announced.

    Raises RulesetMoveRefused with every fault. Source: FS-AUD-3.
    """
    entries = running(state)
    now, then = campaign_ruleset(entries, command.from_round), from_json(command.ruleset)
    faults = [*_faults_of_round(state, now, command.from_round)]
    if isinstance(then, CampaignRuleset):
        faults += _faults_of_pack(now, then, command.given)
        faults += _faults_of_groups(state, then.rules, command.given)
    else:
        expected = expects("ruleset-of-format", formats=[now.format])
        faults.append(Fault(f"/{command.given}", then.format, expected, CLAUSE))
    if faults:
        raise RulesetMoveRefused("The campaign cannot move to this ruleset.", faults)
    return [RulesetMoved(from_round=command.from_round, ruleset=command.ruleset, reason=command.reason)]


def options_in_force(entries: Entries, round: int) -> dict[str, Setting | dict[str, int]]:
    """Every option of the ruleset of a round as it stands: as it was chosen, or by default."""
    ruleset = campaign_ruleset(entries, round)
    standing = {option.key: option.default for option in ruleset.options if option.default is not None}
    return {**standing, **ruleset.chosen}


def _faults_of_round(state: Tournament, now: CampaignRuleset, from_round: int) -> Iterator[Fault]:
    paired, last = round_at_hand(state), now.rules.options.rounds
    if from_round <= paired:
        expected = expects("round-after-paired", least=paired + 1, paired=paired)
        yield Fault("/from_round", f"{from_round}", expected, CLAUSE)
    if from_round > last:
        yield Fault("/from_round", f"{from_round}", expects("at-most-rounds", most=last), "FS-LGE-3")
    latest = max((known.from_round for known in state.entries.moves), default=0)
    if from_round < latest:
        yield Fault("/from_round", f"{from_round}", expects("round-after-move", least=latest), CLAUSE)


def _faults_of_pack(now: CampaignRuleset, then: CampaignRuleset, given: str) -> Iterator[Fault]:
    family = _VERSION.sub("", now.id)
    if _VERSION.sub("", then.id) != family:
        yield Fault(f"/{given}", then.id, expects("version-of-ruleset", ruleset=family), CLAUSE)
    if replace(now, chosen={}) == replace(then, chosen={}):
        yield Fault(f"/{given}", f"{then.id} {then.version}", expects("other-version"), CLAUSE)
    before, after = to_builtins(now.rules.options), to_builtins(then.rules.options)
    for key in before:
        if before[key] != after.get(key):
            expected = expects("option-as-announced", option=key, value=shown(before[key]))
            yield Fault(f"/{given}", shown(after.get(key)), expected, CLAUSE)


def _faults_of_groups(state: Tournament, rules: Rules, given: str) -> Iterator[Fault]:
    """What groups are and own has to be in the new tables too."""
    known = {
        "forces": set(rules.forces),
        "goods": set(rules.goods),
        "turfs": {turf.turf for turf in rules.turfs},
        "injuries": {injury.injury for injury in rules.injuries},
        "advancement/perks": set(rules.advancement.perks),
    }
    for group in {**ENLISTED.of(state).groups, **groups_of(state)}.values():
        for table, key in _named(group):
            if key not in known[table]:
                expected = expects("known-to-group", key=key, group=group.id)
                yield Fault(f"/{given}/rules/{table}", "nothing", expected, CLAUSE)


def _named(group: Group) -> list[tuple[str, str]]:
    """Everything of the tables that a group names: (table, key), each once."""
    found = [("forces", group.force), *(("goods", item.good) for item in group.items)]
    found += [("turfs", owned.turf) for owned in group.turfs]
    for member in group.members:
        found += [("injuries", injury) for injury in member.injuries]
        found += [("advancement/perks", held.perk) for held in member.perks]
        found += [("goods", drug) for drug in member.addictions]
    return list(dict.fromkeys(found))


class Difference(Struct, frozen=True):
    """A value that changed. where: its JSON pointer. None: it is on one side only."""

    where: str
    before: Any
    after: Any


def differences(before: Any, after: Any, where: str = "") -> Iterator[Difference]:
    """Every value in which two plain trees differ, in the order of the first; rows of lists go by their number."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key), after.get(key), f"{where}/{_escaped(key)}")
    elif isinstance(before, list) and isinstance(after, list):
        for number in range(max(len(before), len(after))):
            one, other = (side[number] if number < len(side) else None for side in (before, after))
            yield from differences(one, other, f"{where}/{number}")
    else:
        yield Difference(where, before, after)


def _escaped(key: str) -> str:
    """A key as RFC 6901 writes it."""
    return key.replace("~", "~0").replace("/", "~1")
