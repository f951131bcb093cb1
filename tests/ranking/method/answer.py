"""`python -m tests.ranking.method.answer`: what the method makes of the human evidence, as canonical JSON."""

import sys

from ranking.canonical import plain, text
from ranking.method.evaluation import Evaluation, evaluate
from tests.ranking.method import human


def answer() -> Evaluation:
    return evaluate(human.inputs(), human.policy(**human.DEMONSTRATION))


if __name__ == "__main__":
    sys.stdout.write(text(plain(answer())))
