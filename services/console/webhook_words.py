"""What operators read of webhooks: how one is and what to do, and why a message did not arrive."""

from __future__ import annotations

from services.console.language import N_, _

WEBHOOK = {
    "enabled": (N_("works"), "is-bound"),
    "unverified": (N_("has not answered yet"), "is-open"),
    "failing": (N_("nothing arrives"), "is-dispute"),
    "disabled": (N_("disabled"), "is-half"),
    "target_lost": (N_("its address is lost"), "is-dispute"),
}
"""Status of a webhook -> in words, and the class of its mark."""
ADVICE = {
    "unverified": N_("It was asked whether it wants this, and has to answer with the challenge that it was sent."),
    "failing": N_("The deliveries say why. They are tried again by themselves."),
    "target_lost": N_("Whoever subscribed has to give its address again."),
}
CAUSES = {
    "asked": N_("Somebody disabled it."),
    "failing": N_("Muster disabled it, for nothing arrived any more. Enable it when its address answers."),
    "gone": N_("It answered that it wants nothing more (410). Enable it if that was a mistake."),
    "unverified": N_("It never answered that it wants this. Enable it, and it is asked again."),
    "no_authority": N_("Whoever subscribed may not see this any more. Whoever enables it vouches for it."),
}
"""Why a webhook is disabled -> in words, with what to do."""
DELIVERY = {"waiting": N_("waiting"), "delivered": N_("delivered"), "dead": N_("given up")}
KINDS = {
    "ping": N_("Test message"),
    "verification": N_("Question whether it wants this"),
}
"""Kind of a message that tells of no event -> in words."""
FAULTS = {
    "status": N_("It answered with another status than 2xx."),
    "redirect": N_("It answered with a redirect, which is not followed."),
    "gone": N_("It answered that it wants nothing more (410)."),
    "challenge": N_("It answered without the challenge."),
    "timeout": N_("It did not answer in time."),
    "unreachable": N_("Nothing listens there, or the network does not lead there."),
    "tls": N_("Its certificate is not good, or it speaks no TLS."),
    "closed": N_("It closed the connection before it had answered."),
    "too-large": N_("Its answer is too long."),
    "not-public": N_("Its name stands for an address that is not public."),
    "name-unknown": N_("Its name stands for no address."),
    "no-message": N_("The event cannot be shown any more, or the address cannot be opened."),
}
"""Why the last attempt of a delivery failed -> in words."""


def advice(status: str, cause: str) -> str:
    """What to know and to do about a webhook; empty where it works."""
    words = CAUSES.get(cause, "") if status == "disabled" else ADVICE.get(status, "")
    return _(words) if words else ""
