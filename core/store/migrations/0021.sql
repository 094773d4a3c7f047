-- What a terminal has not shown yet of what was asked in it: it may have been left before the end came.

CREATE TABLE unshown (
    prompt INTEGER PRIMARY KEY REFERENCES prompts (id) ON DELETE CASCADE,
    room INTEGER NOT NULL REFERENCES rooms (id) ON DELETE CASCADE
);
CREATE INDEX unshown_in ON unshown (room);
