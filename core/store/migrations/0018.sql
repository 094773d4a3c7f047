-- The space that holds the rooms which an account made: empty where there is none.
ALTER TABLE accounts ADD COLUMN space TEXT NOT NULL DEFAULT '';
