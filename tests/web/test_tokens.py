"""Tokens: only signed, complete and current tokens are valid."""

from __future__ import annotations

import base64
import json

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from shared.formats.fold import CATALOGUE
from shared.keys import INSTALLATION, TICKETS, SigningKey
from shared.roles import EVERY_TOURNAMENT, ISSUED, PLAYER, ROLES, SERVICE
from shared.web.refusals import TokenExpired, TokenNotYetValid, Unauthenticated
from shared.web.tokens import Caller, Issuer, Verifier, mint
from tests.web.fake import KEY, KEYS, NOW, OLDER, fake_app, token

CLAIMS = {"sub": "ann", "role": "organiser", "tournament": "spring-open", "jti": "t-1", "iat": NOW, "exp": NOW + 60}
ISSUER = Issuer(INSTALLATION, KEY)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


def signed(claims, key=KEY, algorithm="EdDSA", kid="installation/k1"):
    """Return a token that Muster would not sign."""
    secret = Ed25519PrivateKey.from_private_bytes(key.seed) if algorithm == "EdDSA" else key
    return jwt.encode(claims, secret, algorithm=algorithm, headers={"kid": kid} if kid else None)


@given(
    actor=TEXTS,
    tournament=TEXTS.filter(lambda text: text != EVERY_TOURNAMENT),
    jti=TEXTS,
    role=st.sampled_from(sorted(set(ROLES) - {SERVICE})),
    venue=st.none() | TEXTS,
    exp=st.integers(NOW + 1, NOW + 10**8),
    after_end=st.none() | st.integers(0, 3650),
    types=st.lists(st.sampled_from(sorted(CATALOGUE)), max_size=5),
    reading=st.booleans(),
)
def test_token_round_trip(actor, tournament, jti, role, venue, exp, after_end, types, reading):
    said = {"actor": actor, "role": role, "tournament": tournament, "jti": jti, "venue": venue, "exp": exp}
    said |= {"after_end": after_end, "types": types, "reading": reading, "player": actor if role == PLAYER else None}
    purpose = TICKETS if role in ISSUED else INSTALLATION
    made = mint(Issuer(purpose, KEY), iat=NOW, **said)
    assert made == mint(Issuer(purpose, KEY), iat=NOW, **said)
    read = Verifier(KEYS, clock=lambda: NOW).verify(made)
    said |= {"expires": said.pop("exp"), "types": tuple(types), "signed_by": purpose}
    assert read == Caller(**said)


def test_the_first_key_signs_and_all_verify():
    old, new = token(key=OLDER), token()
    both = Verifier(KEYS, clock=lambda: NOW)
    assert both.verify(old).actor == both.verify(new).actor
    one = {TICKETS: {"k1": KEY.public}}
    with pytest.raises(Unauthenticated, match="another installation's, or retired"):
        Verifier(one, clock=lambda: NOW).verify(old)
    with pytest.raises(Unauthenticated, match="signed by another installation"):  # a key of the same name
        Verifier({TICKETS: {"k1": OLDER.public}}, clock=lambda: NOW).verify(new)


@pytest.mark.parametrize(
    ("purpose", "claims", "may_not"),
    [
        ("tickets", {"role": "operator"}, "sign for the role operator"),
        ("tickets", {"role": "service"}, "sign for the role service"),
        ("tickets", {"role": "referee", "tournament": "*"}, "sign for every tournament"),
        ("tickets", {"role": "integration", "tournament": "*"}, "sign for every tournament"),
        ("installation", {"role": "service", "tournament": "*"}, "sign for the role service"),
        *[("installation", {"role": role, "player": "ann"}, f"sign for the role {role}") for role in sorted(ISSUED)],
        ("scoring", {"role": "operator", "tournament": "*"}, "sign for anybody but scoring itself"),
        ("scoring", {"role": "service", "sub": "pairing", "tournament": "*"}, "sign for anybody but scoring itself"),
        ("scoring", {"role": "service", "sub": "scoring"}, "sign for anybody but scoring itself"),
    ],
)
def test_key_is_limited_to_its_purpose(purpose, claims, may_not):
    keys = {name: {"k1": KEY.public} for name in ("tickets", "installation", "scoring")}
    said = {**CLAIMS, **claims}
    with pytest.raises(Unauthenticated, match=f"{purpose}/k1, which may not {may_not}"):
        Verifier(keys, clock=lambda: NOW).verify(signed(said, kid=f"{purpose}/k1"))
    said["actor"] = said.pop("sub")
    with pytest.raises(ValueError, match=f"the key {purpose}/k1 may not {may_not}"):
        mint(Issuer(purpose, KEY), **said)


def test_service_token():
    read = Verifier(KEYS, clock=lambda: NOW).verify(token(SERVICE))
    assert (read.actor, read.role, read.signed_by) == ("scoring", SERVICE, "scoring")


def test_cached_token_expires():
    now = [float(NOW)]
    verifier = Verifier(KEYS, clock=lambda: now[0])
    made = token(exp=NOW + 10)
    assert verifier.verify(made).expires == NOW + 10
    now[0] = NOW + 9.9
    verifier.verify(made)
    now[0] = NOW + 10
    with pytest.raises(TokenExpired):
        verifier.verify(made)


def test_tokens_of_a_large_event_are_verified_once(monkeypatch):
    read = []
    verifier = Verifier(KEYS, clock=lambda: NOW)
    caller = verifier.verify(token())
    monkeypatch.setattr(verifier, "_decode", lambda said: read.append(said) or caller)
    for _ in range(2):
        for player in range(10_000):
            verifier.verify(f"of player {player}")
    assert len(read) == 10_000


def test_token_cache_is_limited():
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
        signed(CLAIMS, kid="k1"),
        signed(CLAIMS, kid="installation/k9"),
        signed(CLAIMS, kid="nobody/k1"),
        signed(CLAIMS, kid="/"),
        signed(CLAIMS, SigningKey("k1", b"n" * 32)),
        signed(CLAIMS, KEY.public, "HS256"),
        signed(CLAIMS, KEY.seed * 2, "HS512"),
        signed({**CLAIMS, "types": "ResultReported"}),
        signed({**CLAIMS, "types": [7]}),
        signed({**CLAIMS, "reading": "yes"}),
        signed({**CLAIMS, "after_end": "soon"}),
        signed({**CLAIMS, "role": "god"}),
        signed({**CLAIMS, "role": "player"}, kid="tickets/k1"),
        signed({**CLAIMS, "role": ["referee"]}),
        signed({**CLAIMS, "tournament": ""}),
        signed({**CLAIMS, "player": 7}),
        signed({**CLAIMS, "role": "player", "player": "somebody-else"}, kid="tickets/k1"),
        signed({**CLAIMS, "via": "s1"}),
        signed({**CLAIMS, "via": {"how": "link"}}),
        signed({**CLAIMS, "via": {"how": "theft", "by": "s1"}}),
        signed({**CLAIMS, "via": {"how": "link", "by": "s1", "more": "x"}}),
        signed({**CLAIMS, "exp": NOW + 0.5}),
        signed({**CLAIMS, "exp": "tomorrow"}),
        *[signed({k: v for k, v in CLAIMS.items() if k != name}) for name in CLAIMS],
    ],
)
def test_invalid_tokens_are_refused(made):
    with pytest.raises(Unauthenticated):
        Verifier(KEYS, clock=lambda: NOW).verify(made)


def test_unsigned_token_is_refused():
    header = (
        base64.urlsafe_b64encode(json.dumps({"alg": "none", "kid": "installation/k1"}).encode()).decode().rstrip("=")
    )
    claims = base64.urlsafe_b64encode(json.dumps(CLAIMS).encode()).decode().rstrip("=")
    with pytest.raises(Unauthenticated):
        Verifier(KEYS).verify(f"{header}.{claims}.")


@given(st.integers(0, 400), st.characters())
def test_modified_token_is_refused(place, character):
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
def test_verifier_accepts_any_text(text):
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
def test_invalid_claims_are_not_signed(wrong):
    claims = {"actor": "ann", "role": "organiser", "tournament": "x", "jti": "t", "iat": NOW, "exp": NOW + 1}
    with pytest.raises(ValueError, match=r"\w"):
        mint(ISSUER, **{**claims, **wrong})


@pytest.mark.parametrize(
    "keys",
    [{}, {INSTALLATION: {}}],
)
def test_invalid_keys_are_refused_at_startup(keys):
    with pytest.raises(ValueError, match="key"):
        Verifier(keys)


class TestNotBefore:
    """A token is valid from its `nbf`, also a cached one."""

    def signed(self, **claims):
        return signed({**CLAIMS, "exp": NOW + 3600, **claims})

    def test_token_is_refused_before_nbf_and_accepted_from_then(self):
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
    def test_invalid_time_is_refused(self, claim, said):
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
