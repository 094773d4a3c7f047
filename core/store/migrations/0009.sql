-- What people send in several messages, what they point at with it, and what they change afterwards.

-- What the agent is told behind the words: what they reply to, say, worded when they were sent.
ALTER TABLE prompts ADD COLUMN beside TEXT NOT NULL DEFAULT '';

-- The messages that a prompt was made of. text: its words, where there are several, and joint what stands
-- behind them; correction: what its writer made of it since the prompt began, until that is sent.
CREATE TABLE pieces (
    room INTEGER NOT NULL REFERENCES rooms (id),
    message TEXT NOT NULL,
    prompt INTEGER NOT NULL REFERENCES prompts (id),
    at INTEGER NOT NULL,
    text TEXT NOT NULL DEFAULT '',
    joint TEXT NOT NULL DEFAULT '',
    correction TEXT,
    PRIMARY KEY (room, message)
) WITHOUT ROWID;
CREATE INDEX pieces_by_prompt ON pieces (prompt, at);

-- What a message of ours is about, which somebody replies to.
CREATE INDEX deliveries_by_message ON deliveries (room, chat_message) WHERE chat_message IS NOT NULL;

-- Up to which of its messages a room had said something when its project was chosen last: what was offered to
-- choose before that is out of date.
ALTER TABLE rooms ADD COLUMN chosen_after INTEGER NOT NULL DEFAULT 0;
