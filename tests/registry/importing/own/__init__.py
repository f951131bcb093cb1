"""What the files in `tests/cases/own/` are made of: here every odd character is written out and can be reviewed.

`python -m tests.registry.importing.own` writes the files anew; a test holds that each is what is made here.
"""
