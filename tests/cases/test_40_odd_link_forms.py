"""Every form of an image link is understood, and none in code; what is read from disk is the host's part."""

from __future__ import annotations

from bot.markup.blocks import PicturePart
from bot.markup.telegram import TextPart, render
from core.answers.markdown import images

ANSWER = r"""![sp](<output/a b.png>) ![sp2](output/a%20b.png)
![p](output/c%20(1).png) ![p2](output/c%20\(1\).png)
![q](output/x(y)z.png)
![u](output/grün.png) ![pc](output/100%25.png)
![t](output/plot.png "a title") ![v](output/plot.png?v=2) ![f](output/plot.png#f)
![](output/noalt.png)
![bare](output/a b.png)
Code: `![no](output/plot.png)`

```
![no](output/plot.png)
```

![web](https://example.org/x.png?a=b)
[![nested](output/plot.png)](https://example.org)
"""
FORMS = {
    "sp": "output/a b.png",
    "sp2": "output/a%20b.png",
    "p": "output/c%20(1).png",
    "p2": "output/c%20(1).png",
    "q": "output/x(y)z.png",
    "u": "output/grün.png",
    "pc": "output/100%25.png",
    "t": "output/plot.png",
    "v": "output/plot.png?v=2",
    "f": "output/plot.png#f",
    "": "output/noalt.png",
    "bare": "output/a b.png",
    "web": "https://example.org/x.png?a=b",
    "nested": "output/plot.png",
}


def test_all_forms_in_order() -> None:
    assert [(image.alt, image.src) for image in images(ANSWER)] == list(FORMS.items())


def test_pictures_are_cut_out_and_code_stays() -> None:
    local = [src for src in FORMS.values() if src.startswith("output/")]
    parts = render(ANSWER, pictures=local)
    assert [part.src for part in parts if isinstance(part, PicturePart)] == local
    (text,) = [part for part in parts if isinstance(part, TextPart)]
    assert text.text == "Code: ![no](output/plot.png)\n\n![no](output/plot.png)\n\nweb\nnested"
    assert [entity.url for entity in text.entities if entity.url] == [FORMS["web"], "https://example.org"]


def test_without_their_files_they_stay_as_words() -> None:
    (part,) = render(ANSWER)
    assert isinstance(part, TextPart)
    assert part.text.startswith("sp (output/a b.png) sp2 (output/a%20b.png)\np (output/c%20(1).png)")
    assert "\noutput/noalt.png\nbare (output/a b.png)\n" in part.text
