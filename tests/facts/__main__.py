"""`make bench-facts`: how often the matcher's verdicts are the labels, with n and the 95 % interval of Wilson (1927)."""

from __future__ import annotations

import sys
from collections import Counter

from tests.facts.measure import agreement, halves, precision, recall, wrong_lost


def main() -> int:
    print("Agreement of the two labels: {} of {}, kappa {:.2f}".format(*agreement()))
    for name, half in zip(("tuned on", "held out"), halves(), strict=True):
        print(f"\n{name}: {len(half)} pairs, {dict(Counter(pair.said for pair in half))}")
        for verdict in ("carried", "altered", "lost"):
            print(f"  {verdict:<8} precision {precision(half, verdict)}, recall {recall(half, verdict)}")
        for pair in wrong_lost(half):
            print(f"  lost, by {' and '.join(pair.labels)} in the labels: “{pair.fact}”\n    in: “{pair.nearest}”")
    return 0


if __name__ == "__main__":
    sys.exit(main())
