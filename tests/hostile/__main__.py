"""`python -m tests.hostile [WORD...]`: try all hostile files and mishaps, or those whose kind or title has one of the words."""

from __future__ import annotations

import sys

from tests.hostile.case import Case, Mishap
from tests.hostile.runner import CASES, MISHAPS, table, try_case, try_mishap


def main(words: list[str]) -> int:
    every: tuple[Case | Mishap, ...] = (*CASES, *MISHAPS)
    chosen = [case for case in every if not words or any(word.casefold() in str(case).casefold() for word in words)]
    outcomes = []
    for case in chosen:
        one = try_case(case) if isinstance(case, Case) else try_mishap(case)
        outcomes.append(one)
        verdict, said = "FAILED" if one.wrong else "ok", ascii(one.wrong or one.said[:150])
        print(f"{verdict:<7}{one.seconds:>6.1f} s {one.memory / 1e6:>6,.0f} MB  {case}: {said}", flush=True)
    print(f"\n{table(outcomes)}")
    return int(any(one.wrong for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
