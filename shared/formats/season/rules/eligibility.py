"""Who of the members may be promoted and invited to the final, and why somebody may not. SEA-ELIG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.formats.season.rules.model import Barred, Counted, Member
from shared.formats.season.rules.ruleset import SeasonRuleset


def barred(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[Counted], attended: int
) -> tuple[Barred, ...]:
    """Every reason why a member is not eligible; none for who is. SEA-ELIG."""
    return tuple(_reasons(rules, member, division, results, attended))


def _reasons(
    rules: SeasonRuleset, member: Member, division: str, results: Sequence[Counted], attended: int
) -> Iterator[Barred]:
    asked = rules.eligibility
    if member.status == "dropped":
        yield "left"
    if member.status == "disqualified" or (
        asked.disqualified == "out" and any(one.left == "disqualified" for one in results)
    ):
        yield "disqualified"
    if attended < max(asked.minimum, rules.counting.minimum if rules.counting.below == "last" else 0):
        yield "too_few"
    if asked.venues and member.venue not in asked.venues:
        yield "venue"
    if asked.clubs and member.club not in asked.clubs:
        yield "club"
    if asked.divisions and division not in asked.divisions:
        yield "division"
