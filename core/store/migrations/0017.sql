-- What people see the chat as, as far as it was told: rooms of one platform that show the same are told apart by it.
ALTER TABLE rooms ADD COLUMN title TEXT NOT NULL DEFAULT '';
