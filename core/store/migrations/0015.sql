-- Rooms that a chat makes for projects: wanted first, so that each is made once. name: what the platform finds it
-- by. asked: where that is to be told; NULL once it was, or where nobody asked in a chat. room: NULL until it is
-- there. refused: what the platform has against it. said: how it stands with the project, as the room was told last.
CREATE TABLE own_rooms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    platform TEXT NOT NULL,
    project INTEGER REFERENCES projects (id) ON DELETE SET NULL,
    name TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(8)))),
    title TEXT NOT NULL,
    asked INTEGER REFERENCES rooms (id),
    room INTEGER UNIQUE REFERENCES rooms (id),
    refused TEXT NOT NULL DEFAULT '',
    said TEXT NOT NULL DEFAULT '' CHECK (said IN ('', 'here', 'archived', 'removed')),
    UNIQUE (platform, project)
);

-- What owners were told of an account, and when: not every time that it happens.
CREATE TABLE notes (
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    told_at REAL NOT NULL,
    PRIMARY KEY (platform, account, name)
) WITHOUT ROWID;
