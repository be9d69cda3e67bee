"""What can go wrong between an outbox and somebody else's copy."""


class MessagingError(Exception):
    """The base of what messaging raises."""


class BrokerUnavailable(MessagingError):
    """The broker cannot be reached, closed the connection, or refuses a declaration; trying again may help."""


class NotConfirmed(MessagingError):
    """The broker took a batch and did not confirm all of it in time; publish it again."""


class Refused(MessagingError):
    """The broker took a batch and says that a queue did not take all of it, mostly because somebody's is full."""


class Unanswered(NotConfirmed):
    """The broker is well, and a queue that the batch goes to says neither yes nor no, as one without a leader does.

    RabbitMQ lets nothing pass such a queue, so the batch has to wait until somebody repairs or deletes it.
    """


class OwnerUnavailable(MessagingError):
    """The owner of a log cannot be reached, or answers with something else than its log; trying again may help."""


class OwnerWrong(OwnerUnavailable):
    """The owner of a log answers, and what it says cannot be its log; somebody has to look."""


class LogUnknown(OwnerUnavailable):
    """The owner answers that it has no such log."""
