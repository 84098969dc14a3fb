"""`python -m tests.hostile [WORD...]`: try all hostile files, or those whose kind or title has one of the words."""

from __future__ import annotations

import sys

from tests.hostile.runner import CASES, table, try_case


def main(words: list[str]) -> int:
    chosen = [case for case in CASES if not words or any(word.casefold() in str(case).casefold() for word in words)]
    outcomes = []
    for case in chosen:
        one = try_case(case)
        outcomes.append(one)
        verdict, said = "FAILED" if one.wrong else "ok", ascii(one.wrong or one.said[:150])
        print(f"{verdict:<7}{one.seconds:>6.1f} s {one.memory / 1e6:>6,.0f} MB  {case}: {said}", flush=True)
    print(f"\n{table(outcomes)}")
    return int(any(one.wrong for one in outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
