-- Agents that are spoken to: what people answer them, and what is said to a running turn.

ALTER TABLE conversations ADD COLUMN approvals TEXT NOT NULL DEFAULT 'never'
    CHECK (approvals IN ('never', 'ask'));

-- Whether the context is compacted by itself, and how the last compaction found the conversation.
ALTER TABLE conversations ADD COLUMN auto_compact INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN compacted_turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN compacted_chars INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN compacted_at REAL;

-- Which conversation it was forked from, after which message, from which session of the engine's, or else
-- what was said there.
ALTER TABLE conversations ADD COLUMN parent INTEGER REFERENCES conversations (id);
ALTER TABLE conversations ADD COLUMN forked_after INTEGER REFERENCES messages (id);
ALTER TABLE conversations ADD COLUMN fork_of TEXT;
ALTER TABLE conversations ADD COLUMN handed TEXT NOT NULL DEFAULT '';

ALTER TABLE prompts ADD COLUMN kind TEXT NOT NULL DEFAULT 'words' CHECK (kind IN ('words', 'compact'));

-- One row per turn: an agent that is spoken to may serve several. fallback: it goes the engine's other way,
-- the first one having failed. spool_begin: where it begins in what the agent says.
PRAGMA defer_foreign_keys = ON;
CREATE TABLE old_turns AS SELECT * FROM turns;
DROP TABLE turns;
CREATE TABLE turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    prompt INTEGER NOT NULL REFERENCES prompts (id),
    agent TEXT NOT NULL,
    carry_on INTEGER NOT NULL DEFAULT 0,
    session TEXT,
    spool_begin INTEGER NOT NULL DEFAULT 0,
    spool_offset INTEGER NOT NULL DEFAULT 0,
    fallback INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL
);
INSERT INTO turns (id, prompt, agent, carry_on, session, spool_offset, outcome, created_at)
    SELECT id, prompt, agent, carry_on, session, spool_offset, outcome, created_at FROM old_turns;
DROP TABLE old_turns;
CREATE INDEX turns_by_prompt ON turns (prompt, id);

-- Who wrote it: the platform's id, for what only they may do.
ALTER TABLE prompts ADD COLUMN person TEXT NOT NULL DEFAULT '';

-- A waiting prompt that is to be told to the turn that runs before it, if that takes it.
ALTER TABLE prompts ADD COLUMN steers INTEGER NOT NULL DEFAULT 0;
CREATE INDEX prompts_steering ON prompts (conversation, position) WHERE steers AND status = 'queued';

-- What a person answered to a question of the agent: the first answer counts.
CREATE TABLE replies (
    turn INTEGER NOT NULL REFERENCES turns (id),
    question TEXT NOT NULL,
    choice TEXT NOT NULL,
    text TEXT NOT NULL DEFAULT '',
    person TEXT NOT NULL DEFAULT '',
    passed_on INTEGER NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    PRIMARY KEY (turn, question)
) WITHOUT ROWID;
CREATE INDEX replies_due ON replies (turn) WHERE NOT passed_on;

-- What people were last told of a project's own files: a mark of the files as they were, and the keys of what
-- those make agents run or obey.
CREATE TABLE repositories (
    project INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
    mark TEXT NOT NULL,
    keys TEXT NOT NULL
);
