"""The two games, pure: a state and an observation give the next state and the rulings.

Begin with `judge` (`new_game`, `step`, `replay`) and `legal` (`legal_placements`); the values
are in `cards`, `observations`, `options`, `header`, `state` and `rulings`. What is ruled by which
paragraph stands in `docs/rulebook.md`.
"""
