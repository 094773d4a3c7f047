-- Everything that must survive. Times are seconds since the epoch and are only ever shown:
-- order is by id or position.

CREATE TABLE projects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    path TEXT NOT NULL,
    engine TEXT NOT NULL,
    access TEXT NOT NULL CHECK (access IN ('read-only', 'workspace', 'full')),
    groups TEXT NOT NULL DEFAULT '[]',
    host TEXT NOT NULL DEFAULT 'local',
    archived INTEGER NOT NULL DEFAULT 0,
    background INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
);

CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    project INTEGER NOT NULL REFERENCES projects (id),
    engine TEXT NOT NULL,
    session TEXT,
    model TEXT NOT NULL DEFAULT '',
    effort TEXT NOT NULL DEFAULT '',
    access TEXT CHECK (access IN ('read-only', 'workspace', 'full')),
    title TEXT NOT NULL DEFAULT '',
    title_by TEXT NOT NULL DEFAULT '' CHECK (title_by IN ('', 'agent', 'person')),
    language TEXT NOT NULL DEFAULT '',
    archived INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
);
CREATE INDEX conversations_by_project ON conversations (project, id);

-- Where people write. The terminal's rooms are here too.
CREATE TABLE rooms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    chat TEXT NOT NULL,
    thread TEXT NOT NULL DEFAULT '',
    project INTEGER REFERENCES projects (id),
    conversation INTEGER REFERENCES conversations (id),
    language TEXT NOT NULL DEFAULT '',
    UNIQUE (platform, account, chat, thread)
);

-- What a platform gave us, stored before it is told that we have it.
CREATE TABLE inbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    update_key TEXT NOT NULL,
    received_at REAL NOT NULL,
    UNIQUE (platform, account, update_key)
);

CREATE TABLE prompts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (id),
    inbox INTEGER UNIQUE REFERENCES inbox (id),
    text TEXT NOT NULL,
    author TEXT NOT NULL DEFAULT '',
    attachments TEXT NOT NULL DEFAULT '[]',
    status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    position REAL NOT NULL,
    engine TEXT NOT NULL DEFAULT '',
    cancelling INTEGER NOT NULL DEFAULT 0,
    interruptions INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    retry_of INTEGER REFERENCES prompts (id),
    created_at REAL NOT NULL,
    started_at REAL,
    ended_at REAL
);
CREATE INDEX prompts_by_conversation ON prompts (conversation, position);
CREATE INDEX prompts_open ON prompts (conversation, position) WHERE status IN ('queued', 'running');

-- Exclusion is this primary key: a run inserts all of its keys with the claim, or none.
CREATE TABLE holds (
    key TEXT PRIMARY KEY,
    prompt INTEGER NOT NULL REFERENCES prompts (id)
) WITHOUT ROWID;
CREATE INDEX holds_by_prompt ON holds (prompt);

-- One row per agent process. spool_offset: everything before it is in events.
CREATE TABLE turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    prompt INTEGER NOT NULL REFERENCES prompts (id),
    agent TEXT NOT NULL UNIQUE,
    carry_on INTEGER NOT NULL DEFAULT 0,
    session TEXT,
    spool_offset INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL
);
CREATE INDEX turns_by_prompt ON turns (prompt, id);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (id),
    prompt INTEGER REFERENCES prompts (id),
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    text TEXT NOT NULL,
    placed TEXT NOT NULL DEFAULT '[]',
    partial INTEGER NOT NULL DEFAULT 0,
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at REAL NOT NULL
);
CREATE INDEX messages_by_conversation ON messages (conversation, id);
CREATE INDEX messages_by_prompt ON messages (prompt);

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversations (id),
    prompt INTEGER NOT NULL REFERENCES prompts (id),
    turn INTEGER REFERENCES turns (id),
    type TEXT NOT NULL,
    at REAL NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX events_by_conversation ON events (conversation, id);
CREATE INDEX events_by_prompt ON events (prompt, id);

-- One message on its way to a chat. Terminal rooms have none: they read the events.
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room INTEGER NOT NULL REFERENCES rooms (id),
    prompt INTEGER REFERENCES prompts (id),
    part INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sending', 'sent', 'unknown')),
    body TEXT NOT NULL,
    chat_message TEXT,
    created_at REAL NOT NULL,
    UNIQUE (prompt, room, part)
);
CREATE INDEX deliveries_open ON deliveries (room, id) WHERE state <> 'sent';
