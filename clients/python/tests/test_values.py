"""What the service is shown of arguments and results."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import threading
import unittest
from collections import OrderedDict, namedtuple
from pathlib import PurePosixPath
from typing import Any, Dict

from doomloop import _output_fields, _value_text


def shown(value: Any) -> Any:
    return json.loads(_value_text(value))


def output(value: Any) -> Dict[str, Any]:
    return {key: json.loads(text) for key, text in _output_fields(value).items()}


class Model:
    """As pydantic has it."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, mode: str) -> Dict[str, Any]:
        return {**self.fields, "mode": mode}


@dataclasses.dataclass
class Row:
    name: str
    seen: Any


class Plain:
    def __init__(self) -> None:
        self.a, self._secret = 1, 2


class Colour(enum.Enum):
    RED = "red"


class Hostile:
    def __str__(self) -> str:
        raise RuntimeError("no")

    __repr__ = __str__

    @property
    def model_dump(self) -> Any:
        raise KeyError("no")


class Arguments(unittest.TestCase):
    def test_are_json_where_they_can_be(self) -> None:
        pair = namedtuple("pair", "a b")
        cases = [
            ({"q": "ü", "n": [1, 2.5, None, True]}, {"q": "ü", "n": [1, 2.5, None, True]}),
            ('{"q": 1}', '{"q": 1}'),
            (pair(1, 2), [1, 2]),
            (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
            ({1: "a", (2, 3): "b"}, {"1": "a", "(2, 3)": "b"}),
            ([{(2, 3): "b"}], "[{(2, 3): 'b'}]"),
            ({"a": {3, 1, 2}}, {"a": [1, 2, 3]}),
            (float("nan"), "nan"),
            ([float("-inf")], "[-inf]"),
            (datetime.date(2026, 1, 2), "2026-01-02"),
            (decimal.Decimal("1.20"), "1.20"),
            (PurePosixPath("a/b"), "a/b"),
            (Colour.RED, "Colour.RED"),
            (Row("x", {1}), "Row(name='x', seen={1})"),
            (Model(a=1), {"a": 1, "mode": "json"}),
            (Plain(), {"a": 1}),
            (object(), "<object>"),
            (threading.Lock(), "<lock>"),
            (iter([1]), "<list_iterator>"),
            (int, "<class 'int'>"),
        ]
        for value, expected in cases:
            with self.subTest(repr(type(value))):
                self.assertEqual(shown(value), expected)

    def test_are_the_same_for_equal_values_and_differ_for_others(self) -> None:
        big = "x" * 300_000
        for make in (lambda text: {"path": "a", "text": text}, lambda text: json.dumps({"text": text}), lambda text: text.encode()):
            self.assertEqual(shown(make(big)), shown(make(big)))
            self.assertNotEqual(shown(make(big)), shown(make(big[:150_000] + "y" + big[150_001:])))

    def test_of_many_items_are_compared_by_their_hash(self) -> None:
        for count in (9_000, 20_000, 100_000):
            value = {"path": "a", "ids": [1] * count}
            self.assertEqual(shown(value), shown({**value}))
            self.assertNotEqual(shown(value), shown({"path": "a", "ids": [1] * (count - 1) + [2]}))
            self.assertNotEqual(shown(value), shown({"path": "a", "ids": [1] * (count - 1)}))
            self.assertEqual(shown(value)["path"], "a")
        self.assertIn("[200001 characters, sha256 ", shown({"ids": [1] * 100_000})["ids"])

    def test_are_bounded(self) -> None:
        many = [str(number) * 5 for number in range(200_000)]
        texts = {str(number): "y" * 4000 for number in range(1000)}
        for value in ({"text": "x" * 5_000_000}, many, texts, [[many]], {"s": frozenset(many)}, "x" * 5_000_000):
            self.assertLessEqual(len(_value_text(value)), 131_072)
        self.assertNotEqual(shown(texts), shown({**texts, "7": "z"}))

    def test_may_hold_themselves_or_be_deep(self) -> None:
        loop: Any = []
        loop.append(loop)
        deep: Any = 1
        for _ in range(100_000):
            deep = [deep]
        for value in (loop, {"a": loop}, deep, Hostile(), 10**5000):
            self.assertLessEqual(len(_value_text(value)), 131_072)
        self.assertEqual(shown(loop), shown(loop))
        # What cannot be read equals nothing.
        for value in (deep, Hostile()):
            self.assertNotEqual(shown(value), shown(value))


class Outputs(unittest.TestCase):
    def test_are_sent_whole_if_they_are_short(self) -> None:
        for value in ("x" * 131_072, {"a": [1]}, [1, None], 3, False):
            self.assertEqual(output(value), {"output": value})

    def test_are_cut_with_a_digest_and_the_length_of_the_whole(self) -> None:
        text = "a" * 300_000 + "the end"
        cut = output(text)
        self.assertEqual(cut["length"], len(text))
        self.assertTrue(cut["output"].endswith("the end"))
        self.assertLess(len(cut["output"]), 40_000)
        self.assertEqual(cut, output(text))
        self.assertNotEqual(cut["digest"], output("a" * 150_000 + "b" + "a" * 149_999 + "the end")["digest"])
        self.assertEqual(set(output([text])), {"output", "digest", "length"})

    def test_that_tell_nothing_equal_nothing(self) -> None:
        for value in ((n for n in [1]), object(), threading.Lock(), Hostile()):
            self.assertEqual(set(output(value)), {"digest"})
            self.assertNotEqual(output(value), output(value))

    def test_may_hold_lone_surrogates(self) -> None:
        self.assertEqual(output("a\ud800")["output"], "a\ud800")


if __name__ == "__main__":
    unittest.main()
