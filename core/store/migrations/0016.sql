-- Rooms of one project that show the same: what is asked in one is seen in the others, and so is what comes of it.

-- Whether what is said there is encrypted, as far as we have seen.
ALTER TABLE rooms ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;

-- Who had a room show the same as the others, and when. asked: it waits for an owner to agree to what that means, who
-- names it by its id; off: it was ended, or refused, or somebody has to agree anew.
CREATE TABLE mirrors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room INTEGER NOT NULL REFERENCES rooms (id),
    project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('asked', 'on', 'off')),
    person TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL
);
CREATE UNIQUE INDEX mirrors_open ON mirrors (room) WHERE state <> 'off';
CREATE INDEX mirrors_by_project ON mirrors (project) WHERE state <> 'off';

-- Where else a prompt is shown than where it was asked. closed: 1: no longer, for the rooms have parted; 2: that room
-- knows how it ended, having dropped it.
CREATE TABLE seats (
    prompt INTEGER NOT NULL REFERENCES prompts (id),
    room INTEGER NOT NULL REFERENCES rooms (id),
    closed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (prompt, room)
) WITHOUT ROWID;
CREATE INDEX seats_by_room ON seats (room, prompt);
