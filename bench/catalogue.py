"""Every benchmark there is: its name, where it is, what it measures."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct


class Benchmark(Struct, frozen=True):
    """module: has `run(plan) -> list[Table]`. says: what is measured, in a few words.

    only_by_name: it takes so long that it runs only when it is asked for.
    """

    module: str
    says: str
    only_by_name: bool = False


BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        "append": Benchmark("bench.append", "events a second into the log, beside its peers"),
        "rebuild": Benchmark("bench.rebuild", "events a second out of the log: folded, verified, from a snapshot"),
        "http": Benchmark("bench.posting", "results posted over HTTP, and when standings show them"),
        "slow": Benchmark("bench.slow", "results posted over HTTP beside 200 slow connections of each kind"),
        "streams": Benchmark("bench.streams", "from a result to the stream, with 0, 500 and 2,000 others open"),
        "replication": Benchmark("bench.replication", "from a result to its copy, and a relay with a backlog"),
        "answers": Benchmark(
            "bench.answers", "standings of up to 10,000 players: whole, a page, a row, milliseconds and bytes"
        ),
        "webhooks": Benchmark("bench.webhooks", "events to 20 receivers of webhooks: rate and delay"),
        "console": Benchmark(
            "bench.console", "pages of the console at 100 and 2,000 players, first views, 1,000 phones beside results"
        ),
        "scale": Benchmark("bench.scale", "pairing and ranking up to 10,000 players"),
        "offline": Benchmark("bench.offline", "standings and pairings of 10,000 players from files"),
        "audit": Benchmark("bench.audit", "a tournament of 100,000 events, every command of it decided again"),
        "campaign": Benchmark("bench.campaign", "a campaign of 200 groups over 20 rounds, folded"),
        "season": Benchmark("bench.season", "a season made again from 20,000 results, with and without ratings"),
        "restart": Benchmark("bench.restart", "from the death of a web process to its next answer, and first starts"),
        "large": Benchmark(
            "bench.large", "10,000 players over HTTP, beside fewer; 1,000 tournaments (only by name)", only_by_name=True
        ),
        "behind": Benchmark(
            "bench.behind", "100,000 events behind: relay, queues and catch-up, rate and memory", only_by_name=True
        ),
        "transports": Benchmark("bench.transports", "kombu transports that need no server, beside the embedded broker"),
    }
)
