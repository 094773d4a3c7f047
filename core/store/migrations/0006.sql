-- What a running prompt has of its right to run: given to others while its agent waits for a person, or it for
-- its account; wanted again once it could go on.
ALTER TABLE prompts ADD COLUMN slot TEXT NOT NULL DEFAULT 'held' CHECK (slot IN ('held', 'given', 'wanted'));
