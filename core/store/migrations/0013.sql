-- What the board of a room says, as it was said last: it is told no more than what has changed, also after a restart.
ALTER TABLE rooms ADD COLUMN board_says TEXT NOT NULL DEFAULT '';
