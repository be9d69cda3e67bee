"""Benchmarks against peers and limits: `python -m bench`. They inform; none of them passes or fails."""
