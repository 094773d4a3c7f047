"""What a Matrix client shows of an answer."""

from __future__ import annotations

import json
import re

import pytest

from bot.markup.blocks import PicturePart
from bot.markup.matrix import TextPart, render


def message(markdown: str) -> TextPart:
    (part,) = render(markdown, data_note="left out")
    assert isinstance(part, TextPart)
    return part


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# a **b**", "<h1>a <strong>b</strong></h1>"),
        ("a\nb ~~c~~", "<p>a<br>\nb <s>c</s></p>"),
        ("- [x] a\n- b", "<ul>\n<li>☑ a</li>\n<li>b</li>\n</ul>"),
        ("3. a", '<ol start="3">\n<li>a</li>\n</ol>'),
        ("```py\nx < 1\n```", '<pre><code class="language-py">x &lt; 1\n</code></pre>'),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("[a](https://x.example/ü)", '<p><a href="https://x.example/%C3%BC">a</a></p>'),
        ("[a](src/a.py) [b](javascript:1)", "<p>a (src/a.py) b (javascript:1)</p>"),
        ("![a](https://x.y/z.png)", '<p><a href="https://x.y/z.png">a</a></p>'),
        ("![a](data:image/png;base64,AAAA)", "<p>a (left out)</p>"),
        ("<script>x</script> <b>", "<p>&lt;script&gt;x&lt;/script&gt; &lt;b&gt;</p>"),
        ("$x$", "<p><code>$x$</code></p>"),
    ],
)
def test_html(markdown: str, html: str) -> None:
    assert message(markdown).html == html


def test_the_body_is_the_text() -> None:
    assert message("# a\n\n- **b**\n- c").body == "a\n\n• b\n• c"


def test_a_table_is_a_table() -> None:
    part = message("| a |\n|--|\n| `b` |")
    assert "<table>" in part.html
    assert "<td><code>b</code></td>" in part.html
    assert part.body == "a\n─\nb"


def test_pictures_cut_the_text_and_leave_styles_whole() -> None:
    assert render("**a ![one](x.png) b**\n\n> c\n", pictures={"x.png"}) == [
        TextPart("a", "<p><strong>a</strong></p>"),
        PicturePart("x.png", "one"),
        TextPart("b\n\nc", "<p><strong>b</strong></p>\n<blockquote>\n<p>c</p>\n</blockquote>"),
    ]


def test_a_list_with_a_picture_keeps_its_lines() -> None:
    (before, _, after) = render(
        "- a `c`\n- [b](https://x.example)\n- ![](x.png)\n- d\n\n  ```py\n  e\n  ```\n", pictures={"x.png"}
    )
    assert before == TextPart(
        "• a c\n• b", '<p>• a <code>c</code><br>• <a href="https://x.example">b</a></p>'
    )
    assert after == TextPart("• d\n\ne", '<p>• d</p>\n<pre><code class="language-py">e\n</code></pre>')


def test_long_code_goes_on_as_code_of_its_language() -> None:
    lines = [f"print('{number} < ü')" for number in range(2_000)]
    answer = "```python\n" + "\n".join(lines) + "\n```"
    parts = [part for part in render(answer) if isinstance(part, TextPart)]
    assert len(parts) > 3
    assert all(part.html.startswith('<pre><code class="language-python">') for part in parts)
    assert "\n".join(part.body for part in parts).splitlines() == lines


@pytest.mark.parametrize("text", ["ä<&" * 7_400, "🙂" * 9_000, '"\n' * 9_000, "**ö** `<` " * 4_000])
def test_every_copy_of_a_message_fits_into_an_encrypted_edit(text: str) -> None:
    parts = [part for part in render(text) if isinstance(part, TextPart)]
    for part in parts:
        content = {"body": part.body, "formatted_body": part.html}
        event = json.dumps({**content, "m.new_content": content})
        assert len(event) * 4 / 3 + 1_000 < 65_536
    assert not re.search(r"\*\*|`", parts[0].body)


def test_a_link_longer_than_a_message_leaves_its_words() -> None:
    parts = render("[words](https://x.example/?" + "&a" * 900 + ")", limit=1_000)
    assert "".join(part.body for part in parts if isinstance(part, TextPart)) == "words"


def test_signs_larger_than_a_piece_get_through() -> None:
    parts = render("🙂" * 500, limit=1_000)
    assert len(parts) > 10
    assert "".join(part.body for part in parts if isinstance(part, TextPart)) == "🙂" * 500
