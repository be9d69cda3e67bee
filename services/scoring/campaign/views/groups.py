"""What scoring shows of groups: rosters as they are, the history of a member, balances with their entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from services.scoring.campaign.views.dice import marks_of
from services.scoring.campaign.views.phase import faults_view, living
from services.scoring.tournament.views import name_of
from shared.events.recorded import Head
from shared.formats.campaign.events import BY_NAME
from shared.formats.campaign.league import playing
from shared.formats.campaign.rules.muster import cannot_be_fielded
from shared.formats.campaign.rules.rating import group_rating, rating_parts
from shared.formats.campaign.rules.roster import Group
from shared.formats.campaign.rules.sheet import Account, entries_of, sheet_of
from shared.formats.campaign.rules.words import CampaignEvent
from shared.tournament.state import Tournament


def groups_view(state: Tournament, heads: Mapping[str, Head]) -> list[dict[str, Any]]:
    """Every group in short."""
    _, groups = living(state, heads)
    active = playing(state)
    return [_line(state, group, playing=group.id in active) for group in groups.values()]


def group_view(state: Tournament, heads: Mapping[str, Head], id: str) -> dict[str, Any]:
    """A group as its player looks at it: sheets, goods, turfs, and what its rating is made of."""
    rules, groups = living(state, heads)
    group = groups[id]
    return {
        **_line(state, group, playing=id in playing(state)),
        "clean": group.clean,
        "radiated": group.radiated,
        "centaurs": group.centaurs,
        "sheets": [
            {
                **msgspec.to_builtins(sheet_of(rules, group, member)),
                "away": member.away,
                "stays_home": faults_view(list(cannot_be_fielded(rules, group, member))),
            }
            for member in group.members
        ],
        "items": [{"id": item.id, "good": item.good, "holder": item.holder} for item in group.items],
        "turfs": [{"id": owned.id, "turf": owned.turf} for owned in group.turfs],
        "marked_dice": marks_of(state)[0].get(id, {}),
        "rating_now": group_rating(rules, group),
        "rating_parts": [{"source": name, "value": value} for name, value in rating_parts(rules, group).items()],
    }


def concerns(event: Mapping[str, Any], group: str, member: str) -> bool:
    """Whether the data of an event are about a member of a group: where did this scar come from?"""
    named = event.get("member")
    return event.get("group") == group and (named == member or (isinstance(named, dict) and named.get("id") == member))


def balance_view(
    group: str, account: Account, events: Sequence[Mapping[str, Any]], marks: Mapping[str, str]
) -> dict[str, Any]:
    """A balance with its entries. events: about the group, as answers show them, in order. FS-PGP-3.

    marks: of rolls that rest on one word.
    """
    shown = [(event, said) for event in events if (said := event_in(event)) is not None]
    entries = [
        {
            "event": shown[entry.place][0]["id"],
            "time": shown[entry.place][0]["time"],
            "round": shown[entry.place][0]["data"].get("round", 0),
            "amount": entry.amount,
            "balance": entry.balance,
            "reason": entry.reason,
            "clause": entry.clause,
            "roll": entry.roll,
            "mark": marks.get(entry.roll, ""),
        }
        for entry in entries_of([said for _, said in shown], account)
    ]
    return {
        "group": group,
        "account": account,
        "balance": entries[-1]["balance"] if entries else 0,
        "entries": entries,
    }


def event_in(answer: Mapping[str, Any]) -> CampaignEvent | None:
    """The event of a campaign that an answer shows; nothing for other events."""
    kind = BY_NAME.get(answer["type"])
    return None if kind is None else msgspec.convert(answer["data"], kind)


def _line(state: Tournament, group: Group, *, playing: bool) -> dict[str, Any]:
    return {
        "group": group.id,
        "name": name_of(state, group.id),
        "force": group.force,
        "members": len(group.members),
        "leader": group.leader,
        "rating": group.rating,
        "caps": group.caps,
        "playing": playing,
    }
