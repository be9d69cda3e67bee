"""A typed client of Muster's three services.

with Muster("https://muster.example", token=TOKEN) as muster:
    muster.scoring.report_result("spring-cup", "r1g1", facts={"points_1": 150, "points_2": 129})
"""

from muster_client.answer import Answer, Meta, Version
from muster_client.errors import (
    Fault,
    MusterError,
    NotSent,
    Problem,
    UnexpectedAnswer,
    Unreachable,
)
from muster_client.feed import Batch, Feed
from muster_client.generated import VERSION as __version__
from muster_client.generated import answers, bodies, problems
from muster_client.lines import Event, Lines
from muster_client.muster import Muster
from muster_client.stream import Stream

__all__ = [
    "Answer",
    "Batch",
    "Event",
    "Fault",
    "Feed",
    "Lines",
    "Meta",
    "Muster",
    "MusterError",
    "NotSent",
    "Problem",
    "Stream",
    "UnexpectedAnswer",
    "Unreachable",
    "Version",
    "__version__",
    "answers",
    "bodies",
    "problems",
]
