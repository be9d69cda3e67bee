"""Actors: written and read as canonical JSON, refused in any other form, and shown as text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared import roles
from shared.log.event import (
    ROLES,
    Actor,
    NotAnActor,
    actor_json,
    actor_text,
    read_actor,
    shared_link_holder,
)
from shared.roles import Via
from shared.tournament.guards import By

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
actors = st.builds(
    Actor,
    names,
    st.sampled_from(sorted(ROLES)),
    st.just("") | names,
    st.none() | st.builds(Via, st.sampled_from(["link", "entry"]), names),
)


@given(actors)
@example(Actor('p1", "role":"organiser', "player"))
@example(Actor("\x1e\n\\", "spare", "\0", Via("entry", "\u2028")))
def test_an_actor_is_read_as_it_was_written(actor):
    assert read_actor(actor_json(actor)) == actor


def test_members_at_their_default_are_absent_and_the_others_sorted():
    assert actor_json(Actor("organiser", "organiser")) == '{"actor":"organiser","role":"organiser"}'
    assert (
        actor_json(Actor("p1", "player", "v1", Via("link", "s2")))
        == '{"actor":"p1","role":"player","venue":"v1","via":{"by":"s2","how":"link"}}'
    )


def test_the_authority_of_a_command_is_not_part_of_its_actor():
    assert actor_json(By("s1", "referee", token="t-1.s1.1")) == '{"actor":"s1","role":"referee"}'


@pytest.mark.parametrize(
    "text",
    [
        "",
        "organiser",
        "p1, player",
        "[]",
        "null",
        '{"actor":"p1"}',
        '{"role":"player"}',
        '{"actor":"","role":"player"}',
        '{"actor":7,"role":"player"}',
        '{"actor":"p1","role":"emperor"}',
        '{"role":"player","actor":"p1"}',
        '{"actor":"p1", "role":"player"}',
        '{"actor":"p1","role":"player","venue":""}',
        '{"actor":"p1","role":"player","via":null}',
        '{"actor":"p1","role":"player","via":{"by":"s2"}}',
        '{"actor":"p1","role":"player","via":{"by":"s2","how":"theft"}}',
        '{"actor":"p1","actor":"p1","role":"player"}',
        '{"actor":"p1","role":"player","token":"t-1.p1.1"}',
        '{"actor":"\\ud800","role":"player"}',
        "[" * 5000,
    ],
)
def test_any_other_text_is_no_actor(text):
    with pytest.raises(NotAnActor):
        read_actor(text)


@pytest.mark.parametrize(
    ("actor", "text"),
    [
        (Actor("p1", "player"), "p1, player"),
        (Actor("s2", "referee", "v1"), "s2, referee of v1"),
        (Actor("s1", "head_referee"), "s1, head referee"),
        (Actor("organiser", "organiser"), "organiser"),
        (Actor("guest", "guest"), "guest"),
        (Actor("p1", "player", via=Via("link", "s2")), "p1, player, by a link of s2"),
        (Actor("p1", "player", via=Via("entry", "Anna")), "p1, player, entered by Anna"),
    ],
)
def test_actors_have_a_text_for_people(actor, text):
    assert actor_text(actor) == text


def test_venues_are_shown_by_their_names():
    assert actor_text(Actor("s2", "referee", "v1"), {"v1": "Hall B"}) == "s2, referee of Hall B"


@pytest.mark.parametrize(
    ("one", "other", "holder"),
    [
        (Via("link", "s1"), Via("link", "s1"), "s1"),
        (Via("link", "s1"), Via("entry", "s1"), "s1"),
        (Via("entry", "s1"), Via("entry", "s1"), ""),
        (Via("link", "s1"), Via("link", "s2"), ""),
        (Via("link", "s1"), None, ""),
        (None, None, ""),
    ],
)
def test_the_holder_of_both_links_is_found(one, other, holder):
    first, second = Actor("p1", "player", via=one), Actor("p2", "player", via=other)
    assert shared_link_holder(first, second) == shared_link_holder(second, first) == holder


def test_actor_roles_are_token_roles_guests_and_rules():
    assert {*roles.ROLES, "guest", "rule"} == ROLES
