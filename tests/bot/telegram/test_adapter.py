"""Telegram is a chat as every other, seen from the people's side of a Bot API server."""

from __future__ import annotations

from tests.bot.chat_conformance import ChatConformance


class TestTelegram(ChatConformance):
    pass
