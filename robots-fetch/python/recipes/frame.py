"""Which crawlers do the sites of an archive disallow? With Polars: ``frame.py WARC``."""

import sys

import polars as pl

from robots_exclusion_arrow import Captures, decide

AGENTS = ["GPTBot", "CCBot", "ExampleBot"]


def shares(file):
    """Returns a frame with the number of captures, and of those that disallow the agent."""
    counts = []
    for captures in map(pl.DataFrame, Captures(file)):
        bodies = captures.filter(pl.col("status") // 100 == 2)["body"]
        decisions = pl.DataFrame(decide(bodies, AGENTS, ["/"]))
        counts.append(
            decisions.group_by(pl.col("agent").cast(pl.String)).agg(
                captures=pl.len(), disallowed=(~pl.col("allowed")).sum()
            )
        )
    if not counts:
        return pl.DataFrame(schema={"agent": pl.String, "captures": pl.UInt64, "disallowed": pl.UInt64})
    return pl.concat(counts).group_by("agent").sum().sort("agent")


if __name__ == "__main__":
    print(shares(sys.argv[1]))
