"""Site methods: formulas by hand, cuts by plain counting, the style tree against a tree in memory."""

import math
import random
from collections import Counter

import pytest

from gutsort.errors import FormatError
from gutsort.pages.blocks import parse
from gutsort.pages.site import feature_lines, is_template, page_keys, template_cuts
from gutsort.pages.styletree import GAMMA, element_importance, noisy_names, style_cuts, style_lines, tree_nodes
from gutsort.pages.text import passages
from gutsort.pages.weights import SiteWeights, block_weights, weight_lines, weight_rows
from gutsort.records import Counted

MENU = "<div class=menu><ul><li>Home<li>About us</ul></div>"


def counted(pages, lines=feature_lines):
    counts = Counter()
    for page in pages:
        counts.update(line[2:] for line in lines(parse(page), b"s"))
    return dict(counts)


def left(page, cuts):
    gone = {cut.start for cut in cuts}
    return [p.text for p in passages(parse(page), "utf-8") if p.start not in gone]


def test_what_stands_on_all_pages_goes_and_articles_stay():
    pages = [f"{MENU}<p>Article {word}</p><div class=foot>Page {i} of 3</div>" for i, word in enumerate(("one", "two", "three"))]
    counts = counted(pages)
    assert [left(page, template_cuts(parse(page), counts)) for page in pages] == [["Article one"], ["Article two"], ["Article three"]]


@pytest.mark.parametrize(
    ("both", "path", "template"), [(1, 1, False), (2, 2, True), (2, 3, True), (2, 4, False), (3, 4, True), (0, 0, False)]
)
def test_template_is_two_thirds_of_the_path(both, path, template):
    counts = {b"p\tt": both, b"p\t": path}
    assert is_template(counts, "p", "t") is template


def test_a_text_in_another_place_is_another_block():
    pages = ["<p>Same</p><div>x</div>", "<div>Same</div><p>y</p>"]
    assert left(pages[0], template_cuts(parse(pages[0]), counted(pages))) == ["Same", "x"]


def test_a_page_gives_each_line_once():
    lines = feature_lines(parse("<p>a</p><p>a</p>"), b"s")
    assert len(lines) == len(set(lines)) == 2
    assert lines == sorted(lines)


def test_weights_by_hand():
    pages = ["<div><p>same</p></div><p>one</p>", "<div><p>same</p></div><p>two</p>", "<div><p>same</p></div><ul><li>x</ul>"]
    counts = counted(pages, weight_lines)
    weights = SiteWeights(counts)
    root = abs(2 / 3 * math.log(2 / 3, 3) + 1 / 3 * math.log(1 / 3, 3))  # two styles of the page: div p, div ul
    found = {page: [round(w, 6) for _, w in block_weights(parse(page), weights)] for page in pages}
    assert found[pages[0]] == [0.0, round(root, 6)]  # "same" is on all three; "one" on one of the two pages with that path
    assert found[pages[2]][1] == 1.0  # the list is on one page: importance 1
    rows = weight_rows(parse(pages[0]), weights, b"a.html")
    assert sorted(float(row.split(b"\t")[3]) for row in rows) == [0.0, round(root, 4)]


def test_importances_by_hand():
    assert element_importance([(1, 0.3)]) == pytest.approx((1 - GAMMA) + GAMMA * 0.3)
    entropy = -(3 / 4 * math.log(3 / 4, 4) + 1 / 4 * math.log(1 / 4, 4))
    assert element_importance([(3, 0.2), (1, 1.0)]) == pytest.approx((1 - 0.81) * entropy + 0.81 * (0.15 + 0.25))


# -- the style tree in memory: an element is {"styles": {style: [pages, [child, ...]]}}, a text {"texts": Counter}
# ------------------------------------


def grow(node, element):
    """Add a generated element, (label, children) or a text, to a node of the tree."""
    if isinstance(element, str):
        node.setdefault("texts", Counter())[element] += 1
        return
    label, children = element
    style = tuple("#" if isinstance(child, str) else child[0] for child in children)
    pages, below = node.setdefault("styles", {}).setdefault(style, (0, [{} for _ in children]))
    node["styles"][style] = (pages + 1, below)
    for child, grown in zip(children, below, strict=True):
        grow(grown, child)


def judge(node):
    """CompImp and its greatest at and below, stored in the node."""
    if "texts" in node:
        m = sum(node["texts"].values())
        node["m"] = m
        node["own"] = node["greatest"] = 1.0 if m == 1 else 1 - sum(math.log(n, m) for n in node["texts"].values()) / len(node["texts"])
        return
    m = node["m"] = sum(pages for pages, _ in node["styles"].values())
    damped = 0.9 ** len(node["styles"])
    entropy = 1.0 if m == 1 else -sum(pages / m * math.log(pages / m, m) for pages, _ in node["styles"].values())
    inner, greatest = 0.0, 0.0
    for pages, below in node["styles"].values():
        for child in below:
            judge(child)
            greatest = max(greatest, child["greatest"])
        if below:
            inner += pages / m * sum(child["own"] for child in below) / len(below)
    node["own"] = (1 - damped) * entropy + damped * inner
    node["greatest"] = max(greatest, node["own"])


def keeps(node, element, least, threshold):
    """The texts of a generated page that are in no noisy node."""
    if node["greatest"] < threshold and node["m"] >= least:
        return []
    if isinstance(element, str):
        return [element]
    style = tuple("#" if isinstance(child, str) else child[0] for child in element[1])
    return [
        text for child, grown in zip(element[1], node["styles"][style][1], strict=True) for text in keeps(grown, child, least, threshold)
    ]


def random_element(rng, depth=0):
    children, texts = [], rng.choice([["menu"], ["menu", "foot"], [f"news{n}" for n in range(9)]])
    for _ in range(rng.randrange(4)):
        if depth < 4 and rng.random() < 0.6:
            children.append(random_element(rng, depth + 1))
        elif not children or not isinstance(children[-1], str):
            children.append(rng.choice(texts))
    return rng.choice(["div", "section", "article"]), children


def varied(rng, element):
    """A page of the same make: some texts and parts are others."""
    if isinstance(element, str):
        return element if rng.random() < 0.8 else rng.choice(["menu", "news1", "news2"])
    if rng.random() < 0.1:
        return random_element(rng, 2)
    return element[0], [varied(rng, child) for child in element[1]]


def html_of(element):
    if isinstance(element, str):
        return element.replace("news", "news no. ").translate(str.maketrans("0123456789", "abcdefghij"))
    return f"<{element[0]}>{''.join(map(html_of, element[1]))}</{element[0]}>"


@pytest.mark.parametrize("minimum", [True, False])
@pytest.mark.parametrize("seed", range(40))
def test_the_style_tree_of_the_stream_is_that_of_memory(seed, minimum):
    rng = random.Random(seed)
    model = ("page", [random_element(rng) for _ in range(4)])
    pages = [("page", [varied(rng, child) for child in model[1]]) for _ in range(rng.randrange(1, 9))]
    tree = {}
    for page in pages:
        grow(tree, page)
    judge(tree)
    sources = ["".join(map(html_of, page[1])) for page in pages]
    lines = sorted(counted(sources, style_lines).items(), reverse=True)
    nodes = list(tree_nodes((Counted(n, key) for key, n in lines), "list"))
    assert nodes[-1].pages == len(pages)
    assert nodes[-1].importance == pytest.approx(tree["own"])
    noisy = noisy_names(nodes, len(pages), threshold=0.5, minimum=minimum)
    least = max(3, 0.2 * len(pages)) if minimum else 1
    for page, source in zip(pages, sources, strict=True):
        assert left(source, style_cuts(parse(source), noisy)) == [html_of(text) for text in keeps(tree, page, least, 0.5)]


def test_a_list_of_another_kind_is_named():
    with pytest.raises(FormatError, match="site.txt: expected a key"):
        list(tree_nodes([Counted(2, b"abcdef\tabcdef")], "site.txt"))


def test_page_keys_fold_digits_and_inline_tags():
    one, two = (list(page_keys(parse(page)))[0][1:] for page in ("<p id=a1>Page <b>1</b></p>", "<p id=a23>Page <i>45</i></p>"))
    assert one == two
