"""What the built-in agent says, in the languages that it speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Forms = tuple[str, str]
"""A noun for one and for any other number."""


@dataclass(frozen=True, slots=True)
class Words:
    plan: tuple[str, ...]
    title: str
    summary: str
    within: str
    over: str
    mostly: str
    largest_part: str
    empty: str
    nothing: str
    passed_over: str
    unread: str
    cut: str
    picture: str
    caption: str
    columns: str
    largest: str
    largest_seen: str
    read_only: str
    no_picture: str
    before: str
    signature: str
    file: Forms
    folder: Forms
    kinds: Mapping[str, str]
    decimal: str
    thousands: str
    singular: tuple[int, ...]
    """The numbers that take a noun's first form."""
    units: tuple[str, ...]
    slow: str
    tick: str
    slept: str
    failure: str
    gone: str
    help: str

    def counted(self, number: int, noun: Forms) -> str:
        figure = f"{number:,}".replace(",", self.thousands)
        return f"{figure} {noun[number not in self.singular]}"

    def kind(self, language: str) -> str:
        """The name of what `survey` calls *language*."""
        return self.kinds.get(language, language)

    def size(self, size: float) -> str:
        unit = 0
        while size >= 1000 and unit < len(self.units) - 1:
            size, unit = size / 1000, unit + 1
        figure = f"{size:.1f}" if unit and size < 10 else f"{size:.0f}"
        return f"{figure.replace('.', self.decimal)} {self.units[unit]}"


ENGLISH = Words(
    plan=("Look at the files", "Draw a picture of them", "Answer"),
    title="A look at {name}",
    summary="**{name}** holds {files}{within}, {size} in all.",
    within=" and {folders}",
    over="over {files}",
    mostly="Most of it is {language} ({share} %).",
    largest_part="The largest part is {language} ({share} %).",
    empty="**{name}** is still empty. What shall it become?",
    nothing="In **{name}** is nothing that I count.",
    passed_over="Folders that programs make and hidden ones are not counted ({names}).",
    unread="I may not look into {folders}.",
    cut="I stopped counting there: it is a large project, and figures are of what I saw.",
    picture="{name} by language",
    caption="What {name} is made of",
    columns="| Language | Files | Size |",
    largest="The largest file is `{path}` ({size}).",
    largest_seen="The largest file that I saw is `{path}` ({size}).",
    read_only="I may only read here, so I drew no picture.",
    no_picture="I could not put a picture into `output`, so I drew none.",
    before="This is turn {turn} of our conversation; before it you wrote: “{said}”.",
    signature="I am Roost's built-in agent: no account, no network, no model. `help` says what I can do.",
    file=("file", "files"),
    folder=("folder", "folders"),
    kinds={},
    decimal=".",
    thousands=",",
    singular=(1,),
    units=("B", "kB", "MB", "GB", "TB"),
    slow="sleep {seconds}",
    tick="{passed} of {seconds} s\n",
    slept="That took {seconds} s, as you wished.",
    failure="This turn failed because you asked for it.",
    gone="no session {session} is kept here",
    help="""\
I am Roost's built-in agent, for trying things out. I understand, as the first words of a prompt:

- `help`: this text
- `slow 30`: one step of 30 seconds, to be watched or cancelled
- `fail`: a turn that ends badly
- `rate limit`: a turn that the model's provider sends away
- `echo` and some text: that text, as it is

To anything else I answer with a look at the project and a picture of it.""",
)

FRENCH = Words(
    plan=("Regarder les fichiers", "En dessiner une image", "Répondre"),
    title="Un coup d'œil à {name}",
    summary="**{name}** contient {files}{within}, {size} en tout.",
    within=" et {folders}",
    over="plus de {files}",
    mostly="Pour la plupart : {language} ({share} %).",
    largest_part="La plus grande part : {language} ({share} %).",
    empty="**{name}** est encore vide. Que doit-il devenir ?",
    nothing="Dans **{name}**, il n'y a rien que je compte.",
    passed_over="Les dossiers que font les programmes et ceux qui sont cachés ne comptent pas ({names}).",
    unread="Je n'ai pas le droit de regarder dans {folders}.",
    cut="J'ai arrêté de compter là : le projet est grand, et les chiffres sont ceux de ce que j'ai vu.",
    picture="{name} par langage",
    caption="De quoi {name} est fait",
    columns="| Langage | Fichiers | Taille |",
    largest="Le plus grand fichier est `{path}` ({size}).",
    largest_seen="Le plus grand fichier que j'aie vu est `{path}` ({size}).",
    read_only="Je n'ai ici que le droit de lire : pas d'image, donc.",
    no_picture="Je n'ai pas pu mettre d'image dans `output` : il n'y en a donc pas.",
    before="C'est le tour {turn} de notre conversation ; avant, vous avez écrit : « {said} ».",
    signature="Je suis l'agent intégré de Roost : ni compte, ni réseau, ni modèle. `help` dit le reste.",
    file=("fichier", "fichiers"),
    folder=("dossier", "dossiers"),
    kinds={
        "Text": "Texte",
        "Data": "Config",
        "Pictures": "Images",
        "Translations": "Traductions",
        "Notebooks": "Carnets",
        "Other": "Autres",
    },
    decimal=",",
    thousands=" ",
    singular=(0, 1),
    units=("o", "ko", "Mo", "Go", "To"),
    slow="sleep {seconds}",
    tick="{passed} s sur {seconds}\n",
    slept="Cela a pris {seconds} s, comme demandé.",
    failure="Ce tour a échoué parce que vous l'avez demandé.",
    gone="aucune session {session} n'est gardée ici",
    help="""\
Je suis l'agent intégré de Roost, pour faire des essais. Au début d'un message, je comprends :

- `help` : ce texte
- `slow 30` : une étape de 30 secondes, à regarder ou à annuler
- `fail` : un tour qui finit mal
- `rate limit` : un tour que le fournisseur du modèle refuse
- `echo` et un texte : ce texte, tel quel

À tout le reste, je réponds par un coup d'œil au projet, avec une image.""",
)

LANGUAGES = {"en": ENGLISH, "fr": FRENCH}
