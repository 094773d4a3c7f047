-- How answers are shown while they are written, and in which form.
ALTER TABLE rooms ADD COLUMN drafts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN rich INTEGER NOT NULL DEFAULT 0;
