"""Benchmarks against peers and limits: `python -m bench`. They only report numbers; none of them passes or fails."""
