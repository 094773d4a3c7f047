-- What somebody may do in one project, whatever people.role says of all of them.
CREATE TABLE rights (
    person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    project INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    role TEXT NOT NULL CHECK (role IN ('member', 'viewer', 'stranger')),
    PRIMARY KEY (person, project)
) WITHOUT ROWID;

-- The project that a code lets somebody into; NULL for every one.
ALTER TABLE pairings ADD COLUMN project INTEGER REFERENCES projects (id) ON DELETE CASCADE;

-- What a button of ours means, under the short word that it carries. message: where it stands, empty until the
-- chat has told. by: who has used it, and when.
CREATE TABLE buttons (
    token TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    chat TEXT NOT NULL,
    message TEXT NOT NULL DEFAULT '',
    intent TEXT NOT NULL,
    by TEXT NOT NULL DEFAULT '',
    used_at REAL NOT NULL DEFAULT 0,
    created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX buttons_by_message ON buttons (platform, chat, message);
CREATE INDEX buttons_by_age ON buttons (created_at);
