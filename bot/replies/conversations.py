"""A project's conversations: a new one, the last ones, their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.chat import Button, Text
from bot.intents.commands import encode
from bot.intents.values import PickConversation
from bot.replies.marks import cut, literal, quiet
from bot.texts import Texts
from core.answers.title import plain_label
from core.model.conversation import Conversation
from core.model.ids import ConversationId

LONGEST_LABEL = 40


def title(conversation: Conversation, texts: Texts) -> str:
    """What a conversation is called, as plain words; one without a title is named by its number."""
    return plain_label(conversation.title) or texts.say("conversation.untitled", number=conversation.id)


def listed(
    conversations: Sequence[Conversation],
    project: str,
    texts: Texts,
    *,
    ago: Mapping[ConversationId, float] | None = None,
    beside: Sequence[str] = (),
    buttons: Sequence[Button] = (),
) -> Text:
    """The last ones, each with the number that `/conversations NUMBER` takes; those that are called the same
    are told apart by that, and by how long *ago* (in seconds) they were used. *beside*, with *buttons* of its
    own, is what there is elsewhere."""
    names = Counter(title(one, texts) for one in conversations)
    twins = {one.id for one in conversations if names[title(one, texts)] > 1}
    head = texts.say("conversation.which" if conversations else "conversation.none", project=literal(project))
    own = [
        Button(_label(one, texts, twin=one.id in twins), encode(PickConversation(one.id)))
        for one in conversations
    ]
    return quiet(
        head,
        *(_line(one, (ago or {}).get(one.id) if one.id in twins else None, texts) for one in conversations),
        *beside,
        buttons=(*own, *buttons),
    )


def _label(conversation: Conversation, texts: Texts, *, twin: bool) -> str:
    number = f" · {conversation.id}" if twin else ""
    return cut(title(conversation, texts), LONGEST_LABEL - len(number)) + number


def _line(conversation: Conversation, ago: float | None, texts: Texts) -> str:
    used = "" if ago is None else f" · {texts.ago(ago)}"
    return f"`{conversation.id}` {literal(title(conversation, texts))}{used}"


def begun(conversation: Conversation, project: str, texts: Texts) -> Text:
    return quiet(_called(conversation, texts), texts.say("conversation.new", project=literal(project)))


def in_thread(name: str, texts: Texts) -> Text:
    return quiet(texts.say("thread.opened", title=literal(name)))


def no_thread(said: Text, texts: Texts, *, own: bool) -> Text:
    """*said*, where it stands in the room that asked for a thread. *own*: a room of the person's own, where
    nobody is an admin."""
    why = texts.say("thread.refused_own" if own else "thread.refused")
    return replace(said, markdown=f"{said.markdown}\n{why}")


def picked(conversation: Conversation, texts: Texts) -> Text:
    return quiet(texts.say("conversation.picked", title=literal(title(conversation, texts))))


def titled(conversation: Conversation, texts: Texts) -> Text:
    return quiet(texts.say("conversation.titled", title=literal(title(conversation, texts))))


def _called(conversation: Conversation, texts: Texts) -> str:
    return f"**{literal(conversation.title)}**" if conversation.title else ""
