-- What a chat is to get, and may have already; and chats that are closed to us for a while.

-- 1: it may be there already, whatever takes its place and however often it is tried again.
ALTER TABLE deliveries ADD COLUMN repeat INTEGER NOT NULL DEFAULT 0;
-- 1: its room moved after it was made, so the number of the message that it replies to is another's now.
ALTER TABLE deliveries ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
UPDATE deliveries SET repeat = 1 WHERE state = 'unknown';

-- Chats into which nothing may be sent until then, as their platform said. seconds: how long that was when
-- it was said, which is what bounds the wait where the clock is set back meanwhile.
CREATE TABLE floods (
    platform TEXT NOT NULL,
    account TEXT NOT NULL,
    chat TEXT NOT NULL,
    until REAL NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (platform, account, chat)
) WITHOUT ROWID;
