"""The size of a diff counts the lines of files, and nothing that git writes around them."""

from __future__ import annotations

from core.answers.diffs import DiffSize, Kind, Line, lines, size_of

DIFF = """diff --git a/shop.py b/shop.py
index 1..2 100644
--- a/shop.py
+++ b/shop.py
@@ -1,3 +1,4 @@
 a
--- a line that was a comment of SQL
+++ one that came
+b
 c
@@ -9 +9 @@
-x
+y
\\ No newline at end of file
diff --git a/logo.png b/logo.png
new file mode 100644
Binary files /dev/null and b/logo.png differ
diff --git a/old.py b/old.py
deleted file mode 100644
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
"""


def test_files_and_lines_are_counted() -> None:
    assert size_of(DIFF) == DiffSize(files=3, added=3, removed=3)


def test_nothing_changed() -> None:
    assert size_of("") == DiffSize()


def test_what_somebody_reads_are_files_places_and_lines() -> None:
    read = list(lines(DIFF))
    assert read[:3] == [
        Line(Kind.FILE, "shop.py"),
        Line(Kind.PLACE, "@@ -1,3 +1,4 @@"),
        Line(Kind.SAME, " a"),
    ]
    assert Line(Kind.REMOVED, "--- a line that was a comment of SQL") in read
    assert Line(Kind.ADDED, "+++ one that came") in read
    assert Line(Kind.PLACE, "Binary files /dev/null and b/logo.png differ") in read
    assert not any(line.text.startswith(("index", "\\", "--- a/")) for line in read)
    assert [line.text for line in read if line.kind is Kind.FILE] == ["shop.py", "logo.png", "old.py"]


def test_a_file_is_called_as_it_is_now() -> None:
    assert [line.text for line in lines("diff --git a/a b.txt b/a b.txt\n")] == ["a b.txt"]
    moved = "diff --git a/old.py b/new.py\nrename from old.py\nrename to new.py\n"
    assert [line.text for line in lines(moved)] == ["new.py", "rename to new.py"]
