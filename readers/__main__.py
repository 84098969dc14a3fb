"""`python -m readers`: the command line."""

import sys

from readers.cli import main

if __name__ == "__main__":
    sys.exit(main())
