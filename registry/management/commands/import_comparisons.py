from registry.management.importing import ImportCommand
from registry.vocabulary import ImportKind


class Command(ImportCommand):
    kind = ImportKind.COMPARISONS
    help = (
        "Stage a file of pairwise comparisons and, with --apply, store it. Exit 0: done or would be done; 1: something "
        "in the file stands in the way, and it is named; 2: wrong usage, or not a table of comparisons at all."
    )
