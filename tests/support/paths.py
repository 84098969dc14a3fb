"""Where things lie in this repository, for tests that read files or start a process."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "assets" / "samples"
LAMP = SAMPLES / "the_lamp_at_carrow_point.txt"
SARN = SAMPLES / "the_isle_of_sarn.txt"
