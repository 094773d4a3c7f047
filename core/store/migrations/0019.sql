-- Who reads along in rooms that show the same, and what an owner was told of that.

-- How many may read along there who are nothing in its project, as its chat told when it was asked last; NULL: nobody knows.
ALTER TABLE rooms ADD COLUMN strangers INTEGER;

-- What an owner is asked to agree to, in our words: they agree to that, and to nothing that things have come to since.
ALTER TABLE mirrors ADD COLUMN question TEXT NOT NULL DEFAULT '';

-- Whether threads of its chat are shown too, each in its own conversation: what nobody was told of before is not agreed to.
ALTER TABLE mirrors ADD COLUMN threads INTEGER NOT NULL DEFAULT 0;

-- Whom the settings named as owners when we were at work last.
CREATE TABLE named_owners (
    platform TEXT NOT NULL,
    person TEXT NOT NULL,
    PRIMARY KEY (platform, person)
) WITHOUT ROWID;
