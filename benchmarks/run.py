"""`python benchmarks/run.py [NAME ...] [--rounds N] [--list]`: see README.md beside this file."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[1])
    from benchmarks.command import main

    sys.exit(main())
