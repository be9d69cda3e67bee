"""Things that can stay unpublished, by format."""

from __future__ import annotations


def test_a_format_keeps_back_what_it_has(announce, club):
    """A campaign has no cut; what it cannot keep back is refused by name, when it is announced and later."""
    evening = announce()
    assert evening.post("/amendments", {"on_purpose": ["rounds", "cut", "standings"]}).status == 201
    body = {"name": "League", "ruleset": "fallout-skirmish", "on_purpose": ["rounds", "cut"]}
    refused = club.ask("POST", "/tournaments", body, token=club.token("operator"))
    assert (refused.status, refused.code, refused.places) == (422, "not-on-purpose", ["/on_purpose/1"])
