"""Invented card editions and table scenes, rendered with exact truth.

The publisher's art differs by edition and cannot be shipped, so the reader learns from
endless editions drawn from a seed. Nothing here imitates a real edition.
"""
