"""Identities in a season: claimed by link or staff, merged, split; refusals and previews."""

from __future__ import annotations

import jwt
import pytest

from tests.season.story import holds, new_season


def own(season, cup, player, **body):
    """Claim an entry with the player's token of that tournament."""
    return season.ask("POST", "registration", "/season/claims/own", body, cup.token(player))


class TestByLink:
    def test_tournament_link_proves_an_entry(self, cups):
        season, spring, autumn = cups
        answer = own(season, spring, "p1")
        assert answer.status == 201, answer
        assert answer.types == ["PlayerJoined", "EntryClaimed"]
        assert (answer.body["claimed"], answer.body["players"][0]["name"]) == ("p1", "Ana")
        assert answer.events[1]["data"]["by_link"]
        assert answer.events[1]["actor_text"] == f"{spring.id}.p1, player"
        again = own(season, autumn, "p1", season_token=answer.body["players"][0]["token"])
        assert (again.types, again.body["claimed"], again.body["players"]) == (["EntryClaimed"], "p1", [])
        season.muster.copy(season.id)
        assert [(row["name"], row["attended"]) for row in season.table()["items"]] == [("Ana", 2)]
        holds(season)

    def test_a_second_claim_of_the_same_entry_changes_nothing_for_its_owner(self, cups):
        season, spring, _ = cups
        token = own(season, spring, "p1").body["players"][0]["token"]
        before = season.heads
        assert own(season, spring, "p1", season_token=token).events == []
        answer = own(season, spring, "p1", name="Somebody else")
        assert (answer.status, answer.code, answer.data["player"]) == (409, "entry-claimed", "p1")
        assert season.heads == before

    def test_claim_in_a_full_season_is_put_on_the_waiting_list(self, new):
        season = new(capacity=2)
        spring = season.cup("Ana", "Ben", "Cy", "Dee")
        season.gather(spring)
        answers = [own(season, spring, player) for player in ("p1", "p2", "p3")]
        assert [answer.body["players"][0]["status"] for answer in answers] == ["active", "active", "waiting"]

    def test_equal_player_ids_of_two_tournaments_are_kept_apart(self, cups):
        """p1 of the spring and p1 of the autumn send the same request with the same Idempotency-Key."""
        season, spring, autumn = cups
        key = {"Idempotency_Key": "the-same-for-both"}
        one, two = (
            season.ask("POST", "registration", "/season/claims/own", {}, cup.token("p1"), **key)
            for cup in (spring, autumn)
        )
        assert one.status == 201
        assert (two.status, two.code) == (422, "idempotency-key-reused")
        repeated = season.ask("POST", "registration", "/season/claims/own", {}, spring.token("p1"), **key)
        assert repeated.body == one.body

    def test_claim_with_a_wrong_token_is_refused(self, cups, muster):
        season, spring, _ = cups
        other = season.cup("Ana", "Ben")
        for token, code in (
            (other.token("p1"), "wrong-tournament"),
            (season.token("p1"), "wrong-tournament"),
            (spring.token("organiser"), "forbidden"),
            ("", "unauthenticated"),
        ):
            answer = muster.ask("POST", "registration", f"/tournaments/{season.id}/season/claims/own", {}, token)
            assert answer.code == code, answer
        stranger = new_season(muster).token("p1")
        assert own(season, spring, "p1", season_token=stranger).code == "wrong-tournament"
        assert own(season, spring, "p1", season_token="nonsense").code == "unauthenticated"
        assert own(season, spring, "p9").code == "entry-unknown"
        link = spring.token("p2")
        token_id = jwt.decode(link, options={"verify_signature": False})["jti"]
        spring.do("registration", "/tokens/revocations", {"token_id": token_id})
        answer = season.ask("POST", "registration", "/season/claims/own", {}, link)
        assert answer.code == "token-revoked", answer


class TestByStaff:
    def test_list_of_claims_is_atomic(self, cups):
        season, spring, autumn = cups
        claims = [
            {"tournament": spring.id, "entry": "p1"},
            {"tournament": autumn.id, "entry": "p9"},
            {"tournament": "t-elsewhere", "entry": "p1"},
            {"tournament": autumn.id, "entry": "p1", "player": "p99"},
            {"tournament": spring.id, "entry": "p2"},
            {"tournament": spring.id, "entry": "p2"},
        ]
        answer = season.refused(422, "entry-unknown", "/claims", {"claims": claims})
        places = ["/claims/1/entry", "/claims/2/tournament", "/claims/3/player", "/claims/4/entry", "/claims/5/entry"]
        assert answer.places == places
        made = season.post("/claims", {"claims": claims[:1]})
        assert made.types == ["PlayerJoined", "EntryClaimed"]
        season.post("/claims", {"claims": [{"tournament": autumn.id, "entry": "p1", "player": "p1"}]})
        assert season.ask("GET", "registration", "/season/players/p1").body["entries"] == [
            {"tournament": one, "entry": "p1"} for one in sorted((spring.id, autumn.id))
        ]
        holds(season)

    def test_preview_shows_moves(self, cups):
        season, spring, _ = cups
        season.claim_all(spring)
        season.table()
        claims = {"claims": [{"tournament": cups[2].id, "entry": "p1", "player": season.player("Dee")}]}
        before = season.heads
        told = season.ask("POST", "registration", "/season/claims?preview=true", claims).body
        assert [event["type"] for event in told["events"]] == ["EntryClaimed"]
        told = told["moves"]["season"]
        assert told["twice"] == []
        dee = next(move for move in told["moves"] if move["name"] == "Dee")
        assert dee["rank_after"] < dee["rank_before"]
        assert season.heads == before
        season.post("/claims", claims)
        assert next(row["rank"] for row in season.table()["items"] if row["name"] == "Dee") == dee["rank_after"]

    def test_claim_all_entries_by_name(self, cups):
        season, spring, autumn = cups
        season.claim_all(spring)
        season.claim_all(autumn)
        items = season.ask("GET", "registration", "/season/players").body["items"]
        assert {item["name"]: len(item["entries"]) for item in items} == {
            "Ana": 1,
            "Ben": 2,
            "Cy": 2,
            "Dee": 2,
            "Ana B": 1,
        }
        entries = season.ask("GET", "registration", f"/season/tournaments/{autumn.id}/entries").body["items"]
        assert next((one["name"], one["player"]) for one in entries) == ("Ana B", season.player("Ana B"))
        gathered = season.ask("GET", "registration", "/season/tournaments").body["items"]
        assert [(one["name"], one["entries"], one["claimed"], one["status"]) for one in gathered] == [
            ("Spring cup", 4, 4, "concluded"),
            ("Autumn cup", 4, 4, "concluded"),
        ]
        assert season.claim_all(autumn).events == []


def member(id: str, name: str, club: str = "") -> dict[str, str]:
    said = {"external_id": id, "name": name, "club": club}
    return {key: value for key, value in said.items() if value}


class TestExternalIds:
    """An external id identifies an entry. A name counts only if one of the two has no id."""

    @pytest.fixture
    def season_of(self, new):
        def gathered(*cups):
            season = new()
            made = [season.cup(*names) for names in cups]
            season.count(*made)
            return season, made

        return gathered

    def players(self, season) -> dict[str, int]:
        items = season.ask("GET", "registration", "/season/players").body["items"]
        return {item["name"]: len(item["entries"]) for item in items}

    @pytest.mark.parametrize(
        ("one", "two", "players"),
        [
            (member("M-7", "Robin Old"), member("m-7", "Robin New"), {"Robin Old": 2}),
            (member("M-1", "Alex"), member("", "Alex"), {"Alex": 2}),
            (member("", "Alex"), member("M-1", "Alex"), {"Alex": 2}),
            (member("M-1", "Alex"), member("M-2", "Alex"), {"Alex": 1}),
        ],
    )
    def test_matching_by_external_id_and_name(self, season_of, one, two, players):
        season, _ = season_of((one, "Ben"), (two, "Ben"))
        assert self.players(season) == {**players, "Ben": 2}

    def test_external_id_of_an_entry_claimed_by_name_is_known(self, season_of):
        """Alex without an id, then M-1, then M-2: the third is someone else."""
        season, _ = season_of(("Alex", "Ben"), (member("M-1", "Alex"), "Ben"), (member("M-2", "Alex"), "Ben"))
        assert self.players(season) == {"Alex": 2, "Ben": 3}

    def test_name_with_two_external_ids_is_listed_for_staff(self, season_of, new):
        season, _ = season_of((member("M-100", "Alex Kim", "Club 0"), "Ben"))
        there = season.cup(member("M-101", "Alex Kim", "Club 1"), "Ben")
        season.gather(there)
        listed = {
            "entry": "p1",
            "name": "Alex Kim",
            "club": "Club 1",
            "external_id": "M-101",
            "player": season.player("Alex Kim"),
            "player_name": "Alex Kim",
            "player_club": "Club 0",
            "player_external_ids": ["M-100"],
        }
        path = "/season/claims/by-name"
        preview = season.ask("POST", "registration", f"{path}?preview=true", {"tournament": there.id}).body
        assert preview["moves"]["season"]["same_names"] == [listed]
        assert season.claim_all(there).body["same_names"] == [listed]
        claim = {"tournament": there.id, "entry": "p1", "name": "Alex Kim (Club 1)"}
        season.post("/claims", {"claims": [claim]})
        assert self.players(season) == {"Alex Kim": 1, "Ben": 2, "Alex Kim (Club 1)": 1}
        assert season.claim_all(there).body["same_names"] == []


class TestMergedAndSplit:
    @pytest.fixture
    def two(self, cups):
        """Return Ana and Ana B as two players of the season."""
        season, spring, autumn = cups
        season.claim_all(spring)
        season.claim_all(autumn)
        season.table()
        return season

    def test_merge_and_split(self, two):
        season = two
        before = season.table()["items"]
        merge = {"player": season.player("Ana B"), "into": season.player("Ana"), "reason": "one person, two spellings"}
        told = season.ask("POST", "registration", "/season/merges?preview=true", merge).body["moves"]["season"]
        assert [(move["name"], move["rank_after"]) for move in told["moves"]][-1] == ("Ana B", None)
        assert season.post("/merges", merge).types == ["IdentitiesMerged"]
        rows = season.table()["items"]
        assert (rows[0]["name"], rows[0]["attended"]) == ("Ana", 2)
        assert "Ana B" not in {row["name"] for row in rows}
        last = season.history("Ana")[-1]
        assert [change["what"] for change in last["changes"]] == ["merged"]
        assert last["changes"][0]["data"]["reason"] == "one person, two spellings"
        shown = season.ask("GET", "registration", f"/season/players/{merge['player']}").body
        assert (shown["merged_into"], shown["entries"]) == (merge["into"], [])

        split = {"player": merge["into"], "into": merge["player"], "reason": "two people after all"}
        assert season.post("/splits", split).types == ["IdentitySplit"]
        after = season.table()["items"]
        assert [{**row, "was": None} for row in after] == [{**row, "was": None} for row in before]
        assert [change["what"] for change in season.history("Ana")[-1]["changes"]] == ["split"]
        holds(season)

    def test_split_entry_becomes_a_new_player(self, two):
        season = two
        cy = season.player("Cy")
        (first, second) = season.ask("GET", "registration", f"/season/players/{cy}").body["entries"]
        answer = season.post("/splits", {"player": cy, "entries": [second], "name": "Cy junior", "reason": "the son"})
        assert answer.types == ["PlayerJoined", "IdentitySplit"]
        assert answer.body["players"][0]["name"] == "Cy junior"
        rows = {row["name"]: row["attended"] for row in season.table()["items"]}
        assert (rows["Cy"], rows["Cy junior"]) == (1, 1)
        assert season.ask("GET", "registration", f"/season/players/{cy}").body["entries"] == [first]
        holds(season)

    def test_chain_of_merges_is_followed(self, two):
        season = two
        ana, ana_b, dee = (season.player(name) for name in ("Ana", "Ana B", "Dee"))
        season.post("/merges", {"player": ana_b, "into": ana, "reason": "x"})
        answer = season.refused(409, "identity-merged", "/merges", {"player": ana_b, "into": dee, "reason": "x"})
        assert answer.data["into"] == ana
        assert answer.places == ["/player"]
        claim = {"tournament": season.ask("GET", "registration", "/season/tournaments").body["items"][0]["id"]}
        claims = {"claims": [{**claim, "entry": "p1", "player": ana_b}]}
        assert season.refused(409, "entry-claimed", "/claims", claims).data["player"] == ana

    def test_players_who_met_cannot_be_merged(self, two):
        season = two
        cy, ben = season.player("Cy"), season.player("Ben")
        met = {
            tuple(sorted((season.player(one["name_1"]), season.player(one["name_2"]))))
            for cup in season.ask("GET", "registration", "/season/tournaments").body["items"]
            for one in season.muster.ask("GET", "scoring", f"/tournaments/{cup['id']}/games?round=1").body["items"]
        }
        one, other = sorted(met)[0]
        answer = season.refused(409, "identities-met", "/merges", {"player": one, "into": other, "reason": "x"})
        assert answer.data["tournaments"]
        assert {cy, ben} <= {player for pair in met for player in pair}

    @pytest.mark.parametrize(
        ("body", "status", "code", "places"),
        [
            ({"player": "p99", "into": "p1"}, 422, "player-unknown", ["/player"]),
            ({"player": "p1", "into": "p99"}, 422, "player-unknown", ["/into"]),
            ({"player": "p1", "into": "p1"}, 409, "identity-merged", ["/into"]),
        ],
    )
    def test_impossible_merges_are_refused(self, two, body, status, code, places):
        assert two.refused(status, code, "/merges", {**body, "reason": "x"}).places == places

    def test_impossible_splits_are_refused(self, two):
        season = two
        cy, ana = season.player("Cy"), season.player("Ana")
        both = season.ask("GET", "registration", f"/season/players/{cy}").body["entries"]
        hers = season.ask("GET", "registration", f"/season/players/{ana}").body["entries"]
        for body, code, places in (
            ({"player": cy, "into": ana}, "identity-not-merged", ["/into"]),
            ({"player": cy}, "identity-not-merged", ["/entries"]),
            ({"player": cy, "entries": hers, "name": "New"}, "identity-not-merged", ["/entries/0"]),
            ({"player": cy, "entries": [both[0], both[0]], "name": "New"}, "identity-not-merged", ["/entries/1"]),
            ({"player": cy, "entries": both, "name": "New"}, "identity-not-merged", ["/entries"]),
            ({"player": cy, "entries": both[:1], "name": "Ana"}, "name-taken", ["/name"]),
        ):
            assert season.refused(409, code, "/splits", {**body, "reason": "x"}).places == places, body
        assert season.refused(
            422, "invalid-request", "/splits", {"player": cy, "entries": both[:1], "reason": "x"}
        ).places == ["/name"]
        assert season.refused(422, "player-unknown", "/splits", {"player": "p99", "into": cy, "reason": "x"})
