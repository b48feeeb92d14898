"""What the referee costs: `python -m benchmarks` (or `make bench`) measures it here and now.

Times depend on the machine, so each figure stands beside a yardstick measured in the same run:
decoding the same frames alone, and a general object detector of the smallest usual size.
"""
