-- What rooms and people wish: how a turn is shown, in which colours, when nobody is called, and a pinned board.

ALTER TABLE rooms ADD COLUMN view TEXT NOT NULL DEFAULT 'dashboard' CHECK (view IN ('dashboard', 'atelier'));
ALTER TABLE rooms ADD COLUMN theme TEXT NOT NULL DEFAULT 'system' CHECK (theme IN ('system', 'light', 'dark'));

-- board: whether the chat has a pinned message that says how its project stands. board_message: what the chat
-- calls it; NULL where there is none, empty where nobody knows. board_pinned: pinning it was tried.
ALTER TABLE rooms ADD COLUMN board INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN board_message TEXT;
ALTER TABLE rooms ADD COLUMN board_pinned INTEGER NOT NULL DEFAULT 0;

-- Minutes of the day on this machine's clock.
CREATE TABLE quiet_hours (
    platform TEXT NOT NULL,
    person TEXT NOT NULL,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    PRIMARY KEY (platform, person)
) WITHOUT ROWID;

-- What a platform was last told of one of our accounts (its menus, its words), as a digest: it is told no more than
-- what has changed.
CREATE TABLE account_words (
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (platform, account, name)
) WITHOUT ROWID;
