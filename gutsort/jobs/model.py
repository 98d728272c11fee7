"""Models: made of a frequent list, found by name, and read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import resources

from gutsort.count.frequent import FrequentLines
from gutsort.count.model import Model, load_model
from gutsort.errors import FormatError, ReadError
from gutsort.extract.units import Settings
from gutsort.formats import escape_name
from gutsort.strip.odds import FLOOR, Weights
from gutsort.version import __version__

ENDS = (b"^", b"$")
BACKGROUND = (b"=", b"~")


def make_model(frequent: FrequentLines, name: str, *, least: float = FLOOR, source: str = "") -> Model:
    """The model of a list of marked keys, with what it was counted of in `source`.

    Kept are the records at ends that give at least `least` bits of evidence, and their keys' backgrounds. At the default nothing is lost: what
    gives less weighs as much as what was never seen. Raises FormatError, with the list's `name`, for a list of another kind.
    """
    if frequent.settings is None or (settings := Settings.of_record(frequent.settings)).key != "odds":
        raise FormatError(f"{name}: expected a list of marked keys, from extract --key odds")
    said = dict(item.split("=", 1) for item in settings._replace(interior=False).record().decode().split(" ")[2:])
    header = {
        "settings": " ".join(f"{key}={value}" for key, value in said.items()),
        "documents": str(frequent.documents),
        "least-bits": f"{least:g}",
        "made-by": f"gutsort {__version__}",
        "source": escape_name(source.encode("utf-8", "surrogateescape")),
    }
    return Model.of_records(_kept(frequent, 2.0**least), header)


def _kept(frequent: FrequentLines, least: float) -> Iterator[tuple[bytes, int]]:
    weights = Weights(frequent, frequent.documents or 0, own=0)
    for key in {record[:-2] for record in frequent if record[-2:-1] == b"\t"}:
        places = [place for place in ENDS if weights.of_key(key, place)[0] >= least]
        for place in (*places, *(BACKGROUND if places else ())):
            record = key + b"\t" + place
            if count := frequent[record]:
                yield record, count


def model_names() -> list[str]:
    """The names of the models that the package ships."""
    folder = resources.files("gutsort") / "models"
    return sorted(entry.name.removesuffix(".model") for entry in folder.iterdir() if entry.name.endswith(".model"))


def find_model(name: str) -> Model:
    """A model of the package by its name, else one in a file. Raises ReadError where there is neither, FormatError where it is no model."""
    shipped = model_names()
    if name in shipped:
        with (resources.files("gutsort") / "models" / f"{name}.model").open("rb") as file:
            return load_model(file, name)
    shown = escape_name(os.fsencode(name))
    try:
        with open(name, "rb") as file:
            return load_model(file, shown)
    except OSError as error:
        known = ", ".join(shipped)
        raise ReadError(f"{shown}: {error.strerror}, and no model of this name is shipped (there is: {known})") from None
