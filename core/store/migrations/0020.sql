-- What was asked and takes a while to be seen holds up nothing in its room; it is kept until its reply is.

ALTER TABLE inbox ADD COLUMN looking INTEGER NOT NULL DEFAULT 0;
CREATE INDEX inbox_looking ON inbox (platform, account) WHERE looking;
