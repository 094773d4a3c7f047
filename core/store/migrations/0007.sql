-- Groups: which of their words are prompts, what a thread is called, whether an owner was told that anybody at
-- all reads it, and whether those in it were told the rules for several people.

ALTER TABLE rooms ADD COLUMN listen TEXT NOT NULL DEFAULT '' CHECK (listen IN ('', 'auto', 'all', 'mention'));
ALTER TABLE rooms ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE rooms ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rooms ADD COLUMN ruled INTEGER NOT NULL DEFAULT 0;
