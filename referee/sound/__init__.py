"""What the overlay sounds like: a chime for each kind of event, and sentences spoken aloud.

All of it are files that the server hands out: OBS records what a page plays, though not what a
browser speaks.
"""
