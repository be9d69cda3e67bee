"""Sentences about refusals of keys and requests, of services that cannot work now, and of webhooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from services.console.language import N_
from services.console.refusals import AGAIN, IN_PARTS, RELOAD

NEW_KEY = N_("Ask whoever gave it to you for a new one.")
OURS = N_("Load the page again. If that does not help, tell whoever runs Muster.")
FROM_THE_START = N_("Send everything once more, from the beginning.")

KEYS: Mapping[str, Sequence[str]] = {
    "forbidden": (N_("This is for: %(roles)s."), ""),
    "not-your-tournament": (N_("Ask its organiser or an operator to appoint you."),),
    "wrong-tournament": (N_("A key opens one event. Sign in with the one for this event."),),
    "token-expired": (NEW_KEY,),
    "token-revoked": (NEW_KEY,),
    "unauthenticated": (N_("Sign in again."),),
    "precondition-failed": (N_("Look at what stands now, and send it again if it is still right."),),
    "invalid-request": (N_("What does not fit stands beside it."),),
    "too-many-requests": (N_("Wait for %(retry_after)s seconds."), N_("Wait a moment.")),
    "token-not-yet-valid": (N_("If that should be over, a clock is wrong: tell whoever runs Muster."),),
    "token-narrowed": (N_("It is for reading alone, or for some messages. Sign in with another one."),),
    # what was sent
    "idempotency-key-reused": (N_("Load the page again, and send it from there."),),
    "invalid-cursor": (N_("Open the list from its beginning."),),
    "too-large": (IN_PARTS,),
    "not-found": (N_("It was removed, or the address is wrong."),),
    "incomplete-body": (AGAIN,),
    **dict.fromkeys(("bad-request", "malformed-json", "duplicate-member", "invalid-idempotency-key"), (OURS,)),
    **dict.fromkeys(("malformed-seen", "implausible-seen", "method-not-allowed", "not-acceptable"), (OURS,)),
    "unsupported-media-type": (OURS,),
    # services
    **dict.fromkeys(("unavailable", "busy", "not-yet-seen"), (AGAIN,)),
    "internal-error": (
        N_("You can send it again; it counts once. Tell whoever runs Muster this number: %(request_id)s."),
        N_("You can send it again; it counts once."),
    ),
    "behind-own-copies": (N_("Nothing was done. Whoever runs Muster has to run `muster recover` first."),),
    "schema-outdated": (N_("Whoever runs Muster has to run `python -m deploy.migrate` first."),),
    "log-unreadable": (N_("Whoever runs Muster sees under Health what repairs it."),),
    # webhooks
    "webhook-unknown": (RELOAD,),
    "webhook-disabled": (N_("Enable it first."),),
    "webhook-target-lost": (N_("Whoever subscribed has to give its address again."),),
    "not-your-webhook": (N_("An organiser looks after all of them."),),
    "delivery-unknown": (N_("Only the latest are kept. Send everything once more instead."),),
    **dict.fromkeys(("feed-cursor-unknown", "feed-cursor-of-another"), (FROM_THE_START,)),
}
