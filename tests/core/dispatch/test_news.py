"""Who listens hears of each ending, and nobody else."""

from __future__ import annotations

from core.dispatch.news import News


def test_who_listens_is_told_until_it_stops() -> None:
    news, heard = News(), list[str]()
    with news.heard_by(lambda: heard.append("one")):
        with news.heard_by(lambda: heard.append("other")):
            news.tell()
        news.tell()
    news.tell()
    assert heard == ["one", "other", "one"]
