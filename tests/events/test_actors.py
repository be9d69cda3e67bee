"""The actor line: read as it was written, whatever names there are, and as people say it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared import roles
from shared.events.actors import ROLES, Actor, actor_of, line_of, name_in

names = st.text(min_size=1, max_size=12)
actors = st.builds(
    Actor,
    name=names,
    role=st.sampled_from(sorted(ROLES)),
    venue=st.just("") | names,
    issuer=st.just("") | names,
) | st.builds(Actor, name=names, role=st.just("player"), entered_by=names)


@given(actors)
@example(Actor("p1, player, by a link of s2", "player"))
@example(Actor("referee", "organiser"))
@example(Actor("head referee", "head_referee"))
@example(Actor("%2C", "spare", "a of b", "entered by s1"))
def test_a_line_is_read_as_it_was_written(actor):
    line = line_of(actor)
    assert actor_of(line) == actor
    assert name_in(line) == actor.name
    assert "\n" not in line


@pytest.mark.parametrize(
    ("actor", "line"),
    [
        (Actor("p1", "player"), "p1, player"),
        (Actor("s2", "referee", "v1"), "s2, referee of v1"),
        (Actor("s1", "head_referee"), "s1, head referee"),
        (Actor("organiser", "organiser"), "organiser"),
        (Actor("guest", "guest"), "guest"),
        (Actor("muster"), "muster"),
        (Actor("p1", "player", issuer="s2"), "p1, player, by a link of s2"),
        (Actor("p1", "player", entered_by="Anna, of the club"), "p1, player, entered by Anna%2C of the club"),
    ],
)
def test_as_people_say_it(actor, line):
    assert line_of(actor) == line


def test_venues_are_called_by_their_names_where_a_line_is_view():
    assert line_of(Actor("s2", "referee", "v1"), {"v1": "Hall B"}) == "s2, referee of Hall B"


def test_every_role_of_a_token_is_one_beside_guests_and_rules():
    assert {*roles.ROLES, "guest", "rule"} == ROLES
