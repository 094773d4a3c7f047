-- Chats: what they gave us before anybody acted on it, what they are to get, and who may say what.

ALTER TABLE inbox ADD COLUMN room INTEGER REFERENCES rooms (id);
ALTER TABLE inbox ADD COLUMN body TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN said_at REAL NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('new', 'parked', 'done'));
CREATE INDEX inbox_open ON inbox (room, id) WHERE state <> 'done';

-- Where a project's folder led when it was chosen: an agent could put a link in its place.
ALTER TABLE projects ADD COLUMN real TEXT NOT NULL DEFAULT '';

-- Where a prompt came from and is answered; NULL where somebody reads the events instead.
ALTER TABLE prompts ADD COLUMN room INTEGER REFERENCES rooms (id);
ALTER TABLE prompts ADD COLUMN message TEXT NOT NULL DEFAULT '';
-- Files that are still on their way: nobody claims the prompt before they are here.
ALTER TABLE prompts ADD COLUMN files TEXT NOT NULL DEFAULT '[]';

DROP TABLE deliveries;
-- One message on its way to a chat. ended: what became of a prompt, not yet cut into messages; part: one of
-- these messages; progress: the one message that shows a turn, and then how long it took; reply: anything else.
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room INTEGER NOT NULL REFERENCES rooms (id),
    prompt INTEGER REFERENCES prompts (id),
    kind TEXT NOT NULL CHECK (kind IN ('ended', 'part', 'progress', 'reply')),
    part INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'sending', 'sent', 'unknown', 'refused')),
    body TEXT NOT NULL DEFAULT '',
    chat_message TEXT,
    created_at REAL NOT NULL,
    UNIQUE (prompt, room, kind, part)
);
CREATE INDEX deliveries_open ON deliveries (room, id) WHERE state IN ('pending', 'sending', 'unknown');
CREATE INDEX deliveries_refused ON deliveries (room) WHERE state = 'refused';

CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    person TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer', 'stranger')),
    told_at REAL NOT NULL DEFAULT 0,
    UNIQUE (platform, person)
);

CREATE TABLE pairings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    role TEXT NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
    salt TEXT NOT NULL,
    digest TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    expires_at REAL NOT NULL
);

-- Our own accounts: what people call them, so that a link can be made without asking the platform.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (platform, account)
);
