"""How good the referee is, in figures: on fresh scenes, on still pictures, on recordings.

`python -m datasets.evaluate` (or `make evaluate`) prints one table. A figure is a share, with
the counts that it comes from and the 95 % interval that so few trials leave open. What is
beyond anybody's eye does not count either way; `pictures` and `records` say what that is.
"""
