import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "evaluate_preprints.py"
HEAD = "A Title\n\nAbstract. We solve the equation\n\nx = y\n\nover every field that we know of.\n\nKeywords: operad, tree\n\nMSC: 55P48\n"


def test_table_counts_right_wrong_extra_and_false(tmp_path):
    abstract = "We solve the equation x = y over every field that we know of."
    truth = {
        "a": {"abstract": abstract, "keywords": ["operad", "tree"], "msc": ["55P48"]},
        "b": {"abstract": None, "keywords": ["graph"], "msc": []},
    }
    for key in truth:
        (tmp_path / f"{key}.txt").write_text(HEAD)
        (tmp_path / f"{key}.html").write_text('<page width="1"><block><line><word>Keywords:</word><word>graph</word></line></block></page>')
    (tmp_path / "truth.json").write_text(json.dumps(truth))
    command = [sys.executable, SCRIPT, tmp_path / "truth.json", tmp_path, tmp_path]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert table[2:] == [
        "| literal | bbox | 0/1 | 1/2 | 0/1 | 0 | 0 |",
        "| literal | text | 0/1 | 1/2 | 0/1 | 0 | 0 |",
        "| literal | prescript | 0/1 | 1/2 | 0/1 | 0 | 0 |",
        "| default | bbox | 0/1 | 1/2 | 0/1 | 0 | 0 |",
        "| default | text | 1/1 | 1/2 | 1/1 | 1 | 1 |",
        "| default | prescript | 1/1 | 1/2 | 1/1 | 1 | 1 |",
    ]
