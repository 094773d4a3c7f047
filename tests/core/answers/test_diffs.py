"""The size of a diff counts the lines of files, and nothing that git writes around them."""

from __future__ import annotations

from core.answers.diffs import DiffSize, size_of

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
