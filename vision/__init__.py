"""What lies on the table: facts in millimetres and seconds, each with a probability.

This package knows cameras, planes, half cards and lines of them. It knows nothing of
whose turn it is or which play is legal: a watcher that looks for legal moves only can
never see a foul. It imports no other package of this project.
"""
