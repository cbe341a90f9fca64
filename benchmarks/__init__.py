"""Benchmarks: each checks its answer, then times the rivals in turn in one run."""
