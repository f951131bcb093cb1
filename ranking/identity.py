"""The two names of a release: the digest of its content, and the identifier of its publication. Pure."""

from ranking import canonical


def release_digest(kind: str, body: str) -> str:
    """Of content alone: no who, when or number in it."""
    return canonical.sha256(f"{kind}\n{body}")


def identifier(digest: str, number: int, predecessor: str) -> str:
    """A release's permanent id: SHA-256 of its digest, number and predecessor's id."""
    return canonical.digest({"digest": digest, "number": number, "predecessor": predecessor})
