"""Personal data: never in the log, visible to few, erased on request; the log still verifies."""

from __future__ import annotations

import pytest

from services.registration.personal_data import PersonalDataVault
from shared.log.log import verify
from shared.web.refusals import LogUnreadable
from tests.services.registration.story import announced

CONTACT = {
    "email": "ana@example.org",
    "phone": "+49 170 0000000",
    "legal_name": "Anastasia Maria Example",
    "needs": "a table beside the door",
}


@pytest.fixture
def own(new_club):
    """A registration service of one's own: what is in its file is from this test."""
    return new_club("registration")


def stored(club) -> bytes:
    """Everything that the database's files hold."""
    return b"".join(file.read_bytes() for file in club.file.parent.glob(f"{club.file.name}*") if file.is_file())


def test_personal_data_are_kept_and_shown_to_organiser_and_owner(evening):
    evening.enter("Ana", contact=CONTACT)
    for by in ("p1", "organiser", "operator"):
        assert evening.get("/players/p1/personal", by=by).body == {"player": "p1", "data": CONTACT}
    for by, code in (("p2", "not-yours"), ("integration", "forbidden"), ("referee", "forbidden")):
        assert evening.get("/players/p1/personal", by=by).code == code


def test_no_other_caller_ever_sees_them(evening):
    answer = evening.enter("Ana", contact=CONTACT)
    public = [answer.text, evening.get("/players/p1").text, evening.get("/players").text, evening.get("/log").text]
    for value in CONTACT.values():
        assert not any(value.encode() in text for text in public)


def test_the_database_holds_none_of_them_in_clear_text(own):
    evening = announced(own)
    evening.enter("Ana", contact=CONTACT)
    for value in CONTACT.values():
        assert value.encode() not in stored(own)


def test_erased_means_gone_from_the_file_and_the_log_still_verifies(own):
    evening = announced(own)
    evening.enter("Ana", contact=CONTACT)
    evening.enter("Ben", contact=CONTACT)
    rows = "SELECT player, key, data FROM personal ORDER BY player"
    with own.database.reading() as connection:
        (_, key, data), (_, others, _) = connection.rows(rows)
    own.database.close()
    assert key in stored(own)
    assert evening.delete("/players/p1/personal", by="p1").types == ["PersonalDataErased"]
    assert evening.get("/players/p1/personal").body["data"] == {}
    assert evening.get("/players/p2/personal").body["data"] == CONTACT
    with own.database.reading() as connection:
        assert [player for player, _, _ in connection.rows(rows)] == ["p2"]
    own.database.close()
    left = stored(own)
    assert key not in left
    assert data not in left
    assert others in left
    assert verify(evening.log).position == 4


def test_a_concurrent_reader_does_not_block_an_erasure(own):
    """The journal cannot be emptied during a read; the erasure is still valid."""
    evening = announced(own)
    evening.enter("Ana", contact=CONTACT)
    with own.database.reading() as reader:
        reader.run("BEGIN")
        reader.rows("SELECT * FROM personal")
        assert evening.delete("/players/p1/personal").types == ["PersonalDataErased"]
        reader.run("ROLLBACK")
    assert evening.get("/players/p1/personal").body["data"] == {}
    assert evening.join("Ben") == ["p2"]


def test_erasing_twice_or_what_never_was_changes_nothing(evening):
    evening.join("Ana")
    assert evening.delete("/players/p1/personal").types == []
    evening.enter("Ben", contact={"phone": "1"})
    assert evening.delete("/players/p2/personal").types == ["PersonalDataErased"]
    assert evening.delete("/players/p2/personal").types == []
    assert evening.state.entries.players["p2"].contact is False


def test_an_erasure_repeated_with_one_key_has_the_same_answer(evening):
    evening.enter("Ana", contact=CONTACT)
    first = evening.delete("/players/p1/personal", Idempotency_Key="forget")
    assert evening.delete("/players/p1/personal", Idempotency_Key="forget").body == first.body


class TestReasonsOfTables:
    """FF-TBL-3: the reason of a fixed table is personal data, and is erased with them."""

    @pytest.fixture
    def evening(self, evening):
        evening.venue()
        evening.join("Ana")
        return evening

    def reason(self, evening) -> object:
        return evening.get("/players/p1/personal").body["data"].get("table_reason")

    def test_the_reason_is_stored_outside_the_log(self, evening):
        answer = evening.do("p1", "table", {"venue": "v1", "table": 1, "reason": "a wheelchair"})
        assert b"wheelchair" not in answer.text + evening.get("/log").text + evening.get("/players/p1").text
        assert self.reason(evening) == "a wheelchair"

    def test_another_reason_for_the_same_table_is_kept_as_well(self, evening):
        evening.do("p1", "table", {"venue": "v1", "table": 1})
        assert evening.do("p1", "table", {"venue": "v1", "table": 1, "reason": "a wheelchair"}).types == []
        assert self.reason(evening) == "a wheelchair"

    def test_it_is_erased_though_the_player_gave_no_contact(self, evening):
        evening.do("p1", "table", {"venue": "v1", "table": 1, "reason": "a wheelchair"})
        assert evening.delete("/players/p1/personal", by="p1").types == ["PersonalDataErased"]
        assert self.reason(evening) is None

    def test_it_is_stored_with_the_players_own_data(self, evening):
        evening.enter("Ben", contact=CONTACT)
        evening.do("p2", "table", {"venue": "v1", "table": 2, "reason": "a wheelchair"})
        data = evening.get("/players/p2/personal").body["data"]
        assert data == {**CONTACT, "table_reason": "a wheelchair"}


def test_data_encrypted_for_one_player_cannot_be_decrypted_for_another(own):
    """A row that is moved to another player, or read with another key, does not open."""
    evening = announced(own)
    evening.enter("Ana", contact=CONTACT)
    evening.enter("Ben", contact={"phone": "1"})
    with own.database.writing() as connection:
        connection.run("DELETE FROM personal WHERE player = 'p2'")
        connection.run("UPDATE personal SET player = 'p2'")
    safe = PersonalDataVault(own.settings.personal_key)
    with own.database.reading() as connection:
        with pytest.raises(LogUnreadable):
            safe.get(connection, evening.id, "p2")
        connection.run("UPDATE personal SET player = 'p1'")
        assert safe.get(connection, evening.id, "p1") == CONTACT
        with pytest.raises(LogUnreadable):
            PersonalDataVault(bytes(32)).get(connection, evening.id, "p1")


@pytest.mark.parametrize(
    "contact", [{"email": "not an address"}, {"phone": "1" * 41}, {"legal_name": "\n"}, {"age": 7}]
)
def test_contact_that_cannot_be(evening, contact):
    answer = evening.enter("Ana", contact=contact)
    assert (answer.code, len(answer.places)) == ("invalid-request", 1)
