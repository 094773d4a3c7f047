-- What keeps an account from its work until its owner does something: for whoever asks from another process.
ALTER TABLE accounts ADD COLUMN trouble TEXT NOT NULL DEFAULT '';
