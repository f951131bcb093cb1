"""The method answers with a ranking or with a refusal; it never guesses."""


class Refusal(Exception):  # noqa: N818  a refusal is an answer, not a fault
    """No ranking can be computed from this evidence; `code` is stable, the sentence is for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
