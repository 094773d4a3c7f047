-- How else a button is pressed than by itself: words, one a line, each as `typed` there. thread: that of its
-- message.
ALTER TABLE buttons ADD COLUMN typed TEXT NOT NULL DEFAULT '';
ALTER TABLE buttons ADD COLUMN thread TEXT NOT NULL DEFAULT '';

-- What was said last in a room.
CREATE INDEX inbox_said ON inbox (room, received_at);
