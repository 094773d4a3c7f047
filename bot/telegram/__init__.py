"""Telegram: private chats and groups by the Bot API, and the only place that knows its library."""
