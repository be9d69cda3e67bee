"""What is refused about webhooks, by name."""

from __future__ import annotations

from shared.refusals import Refusal


class WebhookUnknown(Refusal):
    """There is no such webhook, or no more."""

    code = "webhook-unknown"


class DeliveryUnknown(Refusal):
    """The webhook has no such delivery, or it was so long ago that nothing is kept of it."""

    code = "delivery-unknown"


class NotYourWebhook(Refusal):
    """An integration manages the webhooks that it subscribed itself; this one is somebody else's."""

    code = "not-your-webhook"


class WebhookTargetRefused(Refusal):
    """Webhooks do not lead there; faults say which part of the address is why."""

    code = "webhook-target-refused"


class WebhookDisabled(Refusal):
    """It is disabled, and so it is sent nothing; data: `cause`."""

    code = "webhook-disabled"


class WebhookTargetLost(Refusal):
    """Where it leads is not known any more: scoring's database was lost with it. It has to be given again."""

    code = "webhook-target-lost"
