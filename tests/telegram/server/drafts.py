"""What is shown while it is still being written, and messages of one HTML text."""

from __future__ import annotations

from html.parser import HTMLParser

from tests.telegram.server.account import Account
from tests.telegram.server.errors import bad
from tests.telegram.server.formatting import LONGEST_TEXT, Formatted, formatted
from tests.telegram.server.model import Draft, Message
from tests.telegram.server.params import Params
from tests.telegram.server.sending import Content, place_of, post

LONGEST_RICH = 32_768
THINKING = "Thinking…"
TAGS = {
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "blockquote", "pre", "hr", "br", "ul", "ol", "li"),
    *("details", "summary", "table", "thead", "tbody", "tr", "th", "td", "a", "code", "strong", "b"),
    *("em", "i", "u", "s", "del", "mark", "img"),
}


def send_draft(account: Account, params: Params) -> bool:
    """Errors: 400 in a group, for no id, and as for any message; an empty one is a sign of thinking."""
    chat = account.chat(params)
    if chat.is_group:
        raise bad("TEXTDRAFT_PEER_INVALID")
    if not params.number("draft_id"):
        raise bad("RANDOM_ID_INVALID")
    text, entities = params.text("text"), params.listed("entities")
    if text:
        account.check(text, entities, LONGEST_TEXT)
    done = formatted(text, entities)
    if len(done.text) > LONGEST_TEXT:
        raise bad("message is too long")
    can_stop = params.flag("can_stop")
    thread = params.number("message_thread_id")
    draft = Draft(account.clock(), params.number("draft_id"), done.text or THINKING, can_stop, thread)
    chat.drafts.append(draft)
    return True


class _Reader(HTMLParser):
    """Errors: 400 for a tag that there is not."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            raise bad(f"can't parse rich message: unsupported tag {tag}")

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def send_rich(account: Account, params: Params) -> Message:
    chat = account.chat(params)
    given = params.table("rich_message")
    if len({"html", "markdown", "blocks"} & given.keys()) != 1:
        raise bad("exactly one of html, markdown and blocks must be given")
    if "html" not in given:
        account.note("a rich message that is not HTML may lose what looks like a tag")
    reader = _Reader()
    reader.feed(given.get("html") or given.get("markdown") or "")
    words = "".join(reader.words).strip()
    if not words:
        raise bad("message text is empty")
    if len(words) > LONGEST_RICH:
        raise bad("RICH_MESSAGE_TOO_LONG")
    nothing = Formatted("", ())
    return post(account, chat, params, Content(nothing, rich=words), place_of(account, chat, params, nothing))


METHODS = {"sendmessagedraft": send_draft, "sendrichmessage": send_rich}
