"""What a project's own files would make its agents run or obey."""

from __future__ import annotations

from bot.chat import Text
from bot.replies.marks import code, literal, quiet
from bot.texts import Texts
from core.model.events import OrdersFound
from core.model.repository import Order

LONGEST_WORDS = 120


def found(event: OrdersFound, project: str, texts: Texts) -> Text:
    """Doesn't ring: nobody has to do anything. The words are the repository's, and stand as code."""
    head = texts.say("orders.again" if event.again else "orders.first", project=literal(project))
    more = texts.count("orders.more", event.more) if event.more else ""
    return quiet(f"⚠️ {head}", *(_line(order, texts) for order in event.orders), more)


def _line(order: Order, texts: Texts) -> str:
    words = code(order.words, LONGEST_WORDS) if order.words else ""
    return f"· {texts.say(f'orders.{order.kind}', file=code(order.file), words=words)}"
