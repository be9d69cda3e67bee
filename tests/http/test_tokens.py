"""A token says who asks; only those that we signed, that have not ended, and that say everything, are good."""

from __future__ import annotations

import base64
import json

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.http.refusals import TokenExpired, TokenNotYetValid, Unauthenticated
from shared.http.tokens import PLAYER, ROLES, Caller, Verifier, mint
from shared.secret_keys import TokenKey
from tests.http.fake import KEYS, NOW, fake_app, token

CLAIMS = {"sub": "ann", "role": "referee", "tournament": "spring-open", "jti": "t-1", "iat": NOW}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


def signed(claims, key=KEYS[0].secret, algorithm="HS256", kid="k1"):
    return jwt.encode(claims, key, algorithm=algorithm, headers={"kid": kid} if kid else None)


@given(
    actor=TEXTS,
    tournament=TEXTS,
    jti=TEXTS,
    role=st.sampled_from(sorted(ROLES)),
    venue=st.none() | TEXTS,
    exp=st.none() | st.integers(NOW + 1, NOW + 10**8),
)
def test_what_is_minted_is_read_back(actor, tournament, jti, role, venue, exp):
    given_claims = {"actor": actor, "role": role, "tournament": tournament, "jti": jti, "venue": venue, "exp": exp}
    player = "p1" if role == PLAYER else None
    made = mint(KEYS, iat=NOW, player=player, **given_claims)
    assert made == mint(KEYS, iat=NOW, player=player, **given_claims)
    read = Verifier(KEYS, clock=lambda: NOW).verify(made)
    assert read == Caller(actor, role, tournament, jti, player, venue, exp)


def test_the_first_key_signs_and_all_verify():
    old = token(keys=KEYS[1:])
    new = token()
    both = Verifier(KEYS, clock=lambda: NOW)
    assert both.verify(old).actor == both.verify(new).actor
    with pytest.raises(Unauthenticated):
        Verifier(KEYS[:1]).verify(old)
    with pytest.raises(Unauthenticated):
        Verifier([TokenKey("k1", b"another secret of thirty-two bytes")]).verify(new)


def test_a_token_ends_when_it_says_even_when_it_is_remembered():
    now = [float(NOW)]
    verifier = Verifier(KEYS, clock=lambda: now[0])
    made = token(exp=NOW + 10)
    assert verifier.verify(made).expires == NOW + 10
    now[0] = NOW + 9.9
    verifier.verify(made)
    now[0] = NOW + 10
    with pytest.raises(TokenExpired):
        verifier.verify(made)


def test_only_so_many_tokens_are_remembered():
    verifier = Verifier(KEYS, clock=lambda: NOW, remembered=3)
    for number in range(10):
        verifier.verify(token(jti=f"t-{number}"))
    assert len(verifier._known) == 3


@pytest.mark.parametrize(
    "made",
    [
        "",
        "x",
        "a.b.c",
        "é.é.é",
        "x" * 5000,
        signed(CLAIMS, kid=None),
        signed(CLAIMS, kid="k9"),
        signed(CLAIMS, b"not the secret, but as long as it is"),
        signed(CLAIMS, KEYS[0].secret * 2, "HS512"),
        signed({**CLAIMS, "role": "god"}),
        signed({**CLAIMS, "role": "player"}),
        signed({**CLAIMS, "role": ["referee"]}),
        signed({**CLAIMS, "tournament": ""}),
        signed({**CLAIMS, "player": 7}),
        signed({**CLAIMS, "exp": NOW + 0.5}),
        signed({**CLAIMS, "exp": "tomorrow"}),
        *[signed({k: v for k, v in CLAIMS.items() if k != name}) for name in CLAIMS],
    ],
)
def test_anything_else_is_not_one_of_ours(made):
    with pytest.raises(Unauthenticated):
        Verifier(KEYS, clock=lambda: NOW).verify(made)


def test_a_token_without_a_signature_is_refused():
    header = base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "k1"}).encode()).decode().rstrip("=")
    claims = base64.urlsafe_b64encode(json.dumps(CLAIMS).encode()).decode().rstrip("=")
    with pytest.raises(Unauthenticated):
        Verifier(KEYS).verify(f"{header}.{claims}.")


@given(st.integers(0, 400), st.characters())
def test_a_token_changed_anywhere_is_refused(place, character):
    made = token(PLAYER)
    place %= len(made)
    changed = made[:place] + character + made[place + 1 :]
    if changed == made:
        return
    try:
        read = Verifier(KEYS, clock=lambda: NOW).verify(changed)
    except Unauthenticated:
        return
    # The last character of base64url may carry bits that mean nothing: then it is the same token.
    assert place == len(made) - 1
    assert read.actor == "player-1"


@given(st.text(max_size=300))
def test_no_text_makes_the_verifier_stumble(text):
    with pytest.raises(Unauthenticated):
        Verifier(KEYS).verify(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"role": "god"},
        {"role": "player"},
        {"actor": ""},
        {"jti": ""},
        {"tournament": ""},
        {"exp": NOW},
        {"venue": "v" * 3000},
    ],
)
def test_nonsense_is_not_signed(wrong):
    claims = {"actor": "ann", "role": "referee", "tournament": "x", "jti": "t", "iat": NOW}
    with pytest.raises(ValueError, match=r"\w"):
        mint(KEYS, **{**claims, **wrong})


@pytest.mark.parametrize(
    "keys",
    [[], [TokenKey("k", b"short")], [KEYS[0], KEYS[0]]],
)
def test_keys_that_cannot_be_used_are_refused_at_the_start(keys):
    with pytest.raises(ValueError, match="key"):
        Verifier(keys)


class TestNotBefore:
    """A token is good from its `nbf` on, also one that is remembered."""

    def signed(self, **claims):
        whole = {"sub": "ann", "role": "referee", "tournament": "spring-open", "jti": "t-1", "iat": NOW, **claims}
        return jwt.encode(whole, KEYS[0].secret, algorithm="HS256", headers={"kid": KEYS[0].kid})

    def test_before_it_is_refused_and_from_then_on_taken(self):
        now = [NOW]
        verifier = Verifier(KEYS, clock=lambda: now[0])
        token = self.signed(nbf=NOW + 60, exp=NOW + 120)
        for now[0], expected in ((NOW, TokenNotYetValid), (NOW + 59.9, TokenNotYetValid), (NOW + 120, TokenExpired)):
            with pytest.raises(expected):
                verifier.verify(token)
        now[0] = NOW + 60
        assert verifier.verify(token).actor == "ann"
        now[0] = NOW + 59  # a clock that was put back
        with pytest.raises(TokenNotYetValid) as refused:
            verifier.verify(token)
        assert refused.value.data == {"good_from": NOW + 60}

    @pytest.mark.parametrize("claim", ["nbf", "exp", "iat"])
    @pytest.mark.parametrize("said", ["soon", 1.5, True, [], {}])
    def test_a_time_that_is_none_is_refused(self, claim, said):
        with pytest.raises(Unauthenticated):
            Verifier(KEYS, clock=lambda: NOW).verify(self.signed(**{claim: said}))

    def test_over_http(self):
        answer = (
            fake_app()
            .test_client()
            .get("/tournaments/spring-open/standings", headers={"Authorization": f"Bearer {self.signed(nbf=NOW + 60)}"})
        )
        assert (answer.status_code, answer.get_json()["code"]) == (401, "token-not-yet-valid")
        assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]
