"""Decks of our own to print: drawings in millimetres, as PDF pages or as pictures.

A drawing is a list of filled shapes and strokes (`shapes`); digits and icons are strokes of our
own (`digits`, `icons`), so that no typeface and nobody's artwork is needed. `faces` makes cards
of them, `sheets` pages with cutting lines and backs, `raster` pictures.
"""
