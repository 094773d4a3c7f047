"""Fences in fences, of tildes, inline and unclosed: code is code, prose is prose, and all of it arrives."""

from __future__ import annotations

from bot.markup.telegram import TextPart, render
from tests.support import telegram_rules

ANSWER = """````markdown
Before
```python
print('inner')
```
After
````

Paragraph one: Use ```x``` inline.

Paragraph two must stay prose.

~~~sh
echo tilde
~~~

Last:

```js
console.log('no closing fence')
"""


def test_nested_fences() -> None:
    (part,) = render(ANSWER)
    assert isinstance(part, TextPart)
    code = [(entity.language, telegram_rules.covered(part.text, entity)) for entity in part.entities]
    assert code == [
        ("markdown", "Before\n```python\nprint('inner')\n```\nAfter"),
        (None, "x"),
        ("sh", "echo tilde"),
        ("js", "console.log('no closing fence')"),
    ]
    prose = part.text.split("\n\n")
    assert prose[1:3] == ["Paragraph one: Use x inline.", "Paragraph two must stay prose."]
    assert "Last:" in prose
