"""Shapes of what registration shows."""

from __future__ import annotations

from marshmallow import fields

from shared.application.schemas import FormPrinted, ReceiptShown, SheetShown
from shared.web.faults import FaultShown
from shared.web.fields import Answer


class JoinedPlayer(Answer):
    """What became of somebody who asked for a seat."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    status = fields.String(required=True, metadata={"description": "active or waiting."})
    token = fields.String(required=True)
    token_id = fields.String(required=True, metadata={"description": "What a revocation names."})
    link = fields.String(required=True)


class BarredBeforeShown(Answer):
    """Somebody here who may be one that the organiser has barred from later events."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    by = fields.String(required=True, metadata={"description": "What is the same: external_id, or name."})
    tournament = fields.String(required=True, metadata={"description": "Where it was decided."})
    tournament_name = fields.String(required=True)
    barred = fields.String(required=True, metadata={"description": "From which later events, in words."})


class BarredPlayers(Answer):
    """Who is to be looked at, tournament by tournament."""

    items = fields.List(fields.Nested(BarredBeforeShown), required=True)


class Joined(ReceiptShown):
    """players: what became of each, in the order given; token and link: for the player, token_id: to revoke it by."""

    players = fields.List(fields.Nested(JoinedPlayer))


class Announced(ReceiptShown):
    """token: the organiser's, for this tournament; token_id: to revoke it by."""

    id = fields.String()
    token = fields.String()
    token_id = fields.String()


class Appointed(ReceiptShown):
    """The new member of staff and their token; token_id: to revoke it by."""

    staff = fields.String()
    token = fields.String()
    token_id = fields.String()


class LinkIssued(ReceiptShown):
    """A new link of a player and the token that it carries; token_id: to revoke it by."""

    token = fields.String(required=True)
    token_id = fields.String(required=True)
    link = fields.String(required=True)


class LinkShown(Answer):
    """A link of a player, and whose hands it went through; never the link itself."""

    token_id = fields.String(required=True, metadata={"description": "What a revocation names."})
    kind = fields.String(
        required=True,
        metadata={
            "description": "sign-up: got by signing up; entry: with an entry by somebody else; issued: asked for."
        },
    )
    actor = fields.String(
        required=True, metadata={"description": "Who signed up, entered the player, or asked for it: `s2, referee`."}
    )
    name = fields.String(required=True, metadata={"description": "What they are called, where they are of the staff."})
    time = fields.String(required=True, metadata={"description": "RFC 3339, UTC."})
    reason = fields.String(required=True)
    revoked = fields.Boolean(required=True)


class RevocationShown(Answer):
    """A token that the installation took back."""

    token_id = fields.String(required=True)
    reason = fields.String(required=True)
    actor = fields.String(required=True, metadata={"description": "Who revoked it: `operator, operator`."})
    time = fields.String(required=True, metadata={"description": "RFC 3339, UTC."})


class PinnedTable(Answer):
    """A table that is kept for somebody."""

    venue = fields.String(required=True)
    table = fields.Integer(required=True)


class PlayerShown(Answer):
    """A player as everybody sees them."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    external_id = fields.String(metadata={"description": "Who they are elsewhere; empty where nobody said."})
    faction = fields.String()
    club = fields.String()
    venue = fields.String()
    status = fields.String(required=True)
    late = fields.Boolean()
    checked_in = fields.Boolean()
    roster = fields.String(metadata={"description": "Empty, submitted, accepted or rejected."})
    pinned = fields.Nested(
        PinnedTable, allow_none=True, metadata={"description": "The table that the player keeps; never why."}
    )
    warnings = fields.Integer()
    barred = fields.String(
        metadata={
            "description": "Later events that the player is kept from since the disqualification; empty for none."
        }
    )
    after_round = fields.Integer()
    waiting_position = fields.Integer(metadata={"description": "From 1, for those who wait."})


class TableOfVenue(Answer):
    """A table of a venue."""

    table = fields.Integer(required=True)
    accessible = fields.Boolean(required=True)


class VenueShown(Answer):
    """A venue with its tables."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    open = fields.Boolean(required=True)
    tables = fields.List(fields.Nested(TableOfVenue), required=True)


class StaffShown(Answer):
    """A member of staff."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    role = fields.String(required=True)
    venue = fields.String(required=True, metadata={"description": "Empty: all of them."})
    player = fields.String(metadata={"description": "Whom they play as; empty: they do not play."})


class TierShown(Answer):
    """What depends on the level of play, each with its clause."""

    id = fields.String(required=True)
    rounds = fields.String(required=True, metadata={"description": "table, or organiser."})
    list_due = fields.Boolean(required=True, metadata={"description": "No first game without an accepted list."})
    list_due_for = fields.String(
        required=True, metadata={"description": "pairing: nobody is paired without; start: no round begins."}
    )
    judge_may_play = fields.Boolean(required=True)
    kept_apart = fields.Boolean(required=True, metadata={"description": "Players may ask not to meet in round 1."})
    clauses = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class DatesShown(Answer):
    """What follows from the first day of play, each with its clause."""

    lists_due_on = fields.String(required=True, metadata={"description": "Advised; lists are locked later."})
    released_by = fields.String(required=True, metadata={"description": "What came out later is not legal yet."})
    clauses = fields.Dict(keys=fields.String(), values=fields.String(), required=True)


class DecisionShown(Answer):
    """A question that staff settle, and the roles that do so here."""

    question = fields.String(
        required=True, metadata={"description": "rulings, final, disqualification, reinstatement, barring or lists."}
    )
    roles = fields.List(fields.String(), required=True)
    clause = fields.String(required=True, metadata={"description": "Empty: the ruleset says nothing of it."})


class TournamentShown(Answer):
    """A tournament with its venues and staff."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True)
    status = fields.String(required=True)
    ruleset = fields.Dict(required=True)
    tier = fields.String()
    starts_on = fields.String()
    ends_on = fields.String()
    capacity = fields.Integer(allow_none=True)
    rounds = fields.Integer(allow_none=True)
    pairing_scope = fields.String()
    visibility = fields.String()
    check_in = fields.Boolean()
    sign_up = fields.String(metadata={"description": "open or invite_only."})
    registration_open = fields.Boolean()
    rehearsal = fields.Boolean()
    organiser = fields.String(metadata={"description": "The actor who announced the tournament."})
    kept_apart = fields.List(
        fields.List(fields.String()), metadata={"description": "Groups that should not meet in round 1."}
    )
    tier_rules = fields.Nested(TierShown)
    dates = fields.Nested(
        DatesShown, allow_none=True, metadata={"description": "null: no first day yet, or no such rule."}
    )
    decisions = fields.List(fields.Nested(DecisionShown))
    players = fields.Dict(keys=fields.String(), values=fields.Integer())
    venues = fields.List(fields.Nested(VenueShown))
    staff = fields.List(fields.Nested(StaffShown))


class TournamentListed(Answer):
    """A line of the directory."""

    tournament = fields.String(required=True)
    name = fields.String(required=True)
    format = fields.String(required=True)
    ruleset = fields.String(required=True)
    status = fields.String(required=True)
    starts_on = fields.String()
    visibility = fields.String()
    players = fields.Integer()
    announced_at = fields.String()


class OptionShown(Answer):
    """What an organiser may set."""

    key = fields.String(required=True)
    title = fields.String(required=True)
    kind = fields.String(required=True, metadata={"description": "flag, choice, whole or bands."})
    default = fields.Raw(required=True, allow_none=True, metadata={"description": "As its kind has it; null: none."})


class RulesetListed(Answer):
    """A ruleset in short."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    version = fields.String(required=True)
    format = fields.String(required=True)
    tiers = fields.List(fields.String(), required=True)
    options = fields.List(fields.Nested(OptionShown), required=True)


class RulesetsShown(Answer):
    """The shipped rulesets."""

    rulesets = fields.List(fields.Nested(RulesetListed), required=True)


class RosterTaken(ReceiptShown):
    """advice: what the document advises against in the roster, which is legal all the same."""

    advice = fields.List(fields.Nested(FaultShown), required=True)


class BlankForm(FormPrinted):
    """A form as it is printed; scoring fills it in: GET /tournaments/{id}/forms/{form}."""

    copies = fields.Integer(required=True)
    copies_a_round = fields.Integer(required=True, metadata={"description": "More copies for each planned round."})


class RulesetShown(RulesetListed):
    """A ruleset with what depends on its tiers, who of the staff settles what, its forms, and the whole pack."""

    tier_rules = fields.List(fields.Nested(TierShown), required=True)
    decisions = fields.List(fields.Nested(DecisionShown), required=True)
    forms = fields.List(fields.Nested(BlankForm), required=True)
    ruleset = fields.Dict(required=True)


class SealedShown(Answer):
    """A field of a roster of which the log has a digest alone: SHA-256 of the RFC 8785 JSON of [salt, field, value].

    value: as it stands in `roster`, null where the list has no such field.
    """

    field = fields.String(required=True)
    digest = fields.String(required=True)
    shown = fields.Boolean(required=True, metadata={"description": "Whether you may see it now; then there is a salt."})
    held = fields.Boolean(
        required=True,
        metadata={"description": "false: registration lost it with its database; hand the list in again."},
    )
    salt = fields.String(required=True)
    clause = fields.String(required=True)


class RosterShown(Answer):
    """A roster as submitted last, as far as the ruleset opens it by now; all of it to staff and owner."""

    player = fields.String(required=True)
    status = fields.String(required=True)
    note = fields.String(metadata={"description": "What staff said when they accepted or rejected it."})
    roster = fields.Dict(required=True)
    sealed = fields.List(
        fields.Nested(SealedShown),
        required=True,
        metadata={"description": "Fields that not everybody may see while a round is played."},
    )
    faults = fields.List(fields.Nested(FaultShown))
    advice = fields.List(
        fields.Nested(FaultShown), metadata={"description": "What the document advises against; it is legal."}
    )


class RosterSheets(Answer):
    """A roster on paper: a sheet of each form that holds lists."""

    items = fields.List(fields.Nested(SheetShown), required=True)


class Personal(Answer):
    """Personal data, as far as whoever asks is shown them."""

    player = fields.String(required=True)
    data = fields.Dict(
        required=True,
        metadata={
            "description": "email, phone, legal_name: to the organiser; needs, table_reason: to a head referee, too;"
            " all of these to the player. notes (event, type, time, actor, note): to organiser and head referee."
        },
    )


class LookShown(Answer):
    """Somebody was shown personal data."""

    id = fields.Integer(required=True)
    time = fields.String(required=True)
    actor = fields.String(required=True, metadata={"description": "Of staff the id, as the tournament shows it."})
    role = fields.String(required=True)
    members = fields.List(fields.String(), required=True)
