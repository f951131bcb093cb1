from concurrent.futures import ThreadPoolExecutor

from config.secret import kept_secret


def test_is_made_once_for_its_owner_only(tmp_path):
    path = tmp_path / "secret-key"
    key = kept_secret(path)
    assert len(key) >= 64
    assert path.stat().st_mode & 0o777 == 0o600
    assert kept_secret(path) == key


def test_processes_that_start_together_agree(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(kept_secret, [tmp_path / "secret-key"] * 64))
    assert len(keys) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]
