"""`make bench-grading`: how often right and wrong by rule are the labels, with n and the 95 % interval of Wilson (1927)."""

from __future__ import annotations

import sys
from collections import Counter

from tests.grading.measure import agreement, between_labels, decided, halves, left_open


def main() -> int:
    print("Agreement of the two labels: {} of {}, kappa {:.2f}".format(*between_labels()))
    for name, these in zip(("made on", "kept"), halves(), strict=True):
        print(f"\n{name}: {len(these)} answers, labels {dict(Counter(one.label for one in these))}")
        print(f"  right or wrong agree  {agreement(these)}")
        print(f"  of them certain       {agreement([one for one in these if one.certain])}")
        print(f"  left open             {left_open(these)}")
        for one in decided(these):
            if one.said != one.label:
                print(f"  {one.said}, and the label is {one.label}: {one.question}\n    “{one.answer[:120]}” {one.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
