-- Chats that tell what happens from a point on: where we have heard everything up to, and what came that can't
-- be read until its key comes.

CREATE TABLE heard (
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    token TEXT NOT NULL,
    PRIMARY KEY (platform, account)
) WITHOUT ROWID;

CREATE TABLE sealed (
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    update_key TEXT NOT NULL,
    chat TEXT NOT NULL,
    session TEXT NOT NULL,
    body TEXT NOT NULL,
    received_at REAL NOT NULL,
    PRIMARY KEY (platform, account, update_key)
) WITHOUT ROWID;
