"""What the service is shown of arguments and results."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import hashlib
import json
import sqlite3
import threading
import types
import time
import unittest
from collections import OrderedDict, deque, namedtuple
from pathlib import PurePosixPath
from typing import Any, Callable, Dict

from doomloop import _output_fields, _plain, _written


def shown(value: Any) -> Any:
    return json.loads(_written(_plain(value)))


def output(value: Any) -> Dict[str, Any]:
    fields: Dict[str, Any] = json.loads(_written(_output_fields(value)))
    return fields


class Model:
    """As pydantic has it."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def model_dump(self) -> Dict[str, Any]:
        return vars(self)

    def __str__(self) -> str:
        return repr(vars(self))


@dataclasses.dataclass
class Row:
    name: str
    seen: Any


class Plain:
    def __init__(self) -> None:
        self.a, self._secret = 1, 2


class Slotted:
    __slots__ = ("name", "_hidden")

    def __init__(self, name: str) -> None:
        self.name, self._hidden = name, 1


class Private:
    def __init__(self) -> None:
        self._at = 1


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
            ({1: "a", (2, 3): "b"}, {"1": "a", "[2, 3]": "b"}),
            (2**53 - 1, 2**53 - 1),
            ([2**53 + 1, -(10**300)], ["9007199254740993", f"-1{'0' * 300}"]),
            ({"a": {3, 1, 2}}, {"a": [1, 2, 3]}),
            (float("nan"), "nan"),
            ([float("-inf")], ["-inf"]),
            (deque([1, 2]), [1, 2]),
            ({"b": 1}.values(), [1]),
            (b"ab", {"bytes": 2, "sha256": hashlib.sha256(b"ab").hexdigest()}),
            (datetime.date(2026, 1, 2), "2026-01-02"),
            (decimal.Decimal("1.20"), "1.20"),
            (PurePosixPath("a/b"), "a/b"),
            (Colour.RED, "Colour.RED"),
            (Row("x", {1}), {"name": "x", "seen": [1]}),
            (Model(a=1), {"a": 1}),
            (Plain(), {"a": 1}),
            (Slotted("x"), {"name": "x"}),
            (Private(), "<Private>"),
            (types.MappingProxyType({"a": 1}), {"a": 1}),
            (collections.UserList([1, 2]), [1, 2]),
            (range(3), [0, 1, 2]),
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

    def test_of_many_items_are_compared_as_a_whole(self) -> None:
        for count in (4_000, 20_000, 1_000_000):
            rows = [1] * count
            value = {"ids": rows, "path": "a"}
            self.assertEqual(shown(value), shown({**value}))
            for other in ([2, *rows[1:]], [*rows[:-1], 2], rows[1:], [*rows[:2507], 2, *rows[2508:]]):
                self.assertNotEqual(shown(value), shown({**value, "ids": other}))
            self.assertNotEqual(shown(value), shown({**value, "path": "b"}))
            self.assertEqual(shown(value)["path"], "a")
        fields = {str(number): 1 for number in range(100_000)}
        self.assertNotEqual(shown(fields), shown({**fields, "one more": 1}))

    def test_of_many_records_are_compared_as_a_whole(self) -> None:
        @dataclasses.dataclass
        class Order:
            id: int
            state: str

        def rows(of: Callable[[int, str], Any], changed: int) -> List[Any]:
            return [of(at, "done" if at == changed else "open") for at in range(6_000)]

        day = datetime.datetime(2026, 3, 4)
        for of in (Order, lambda *fields: {"at": day, "fields": fields}, lambda *fields: Row("at", fields), lambda *fields: collections.UserList(fields)):
            self.assertEqual(output(rows(of, 0)), output(rows(of, 0)))
            self.assertEqual(set(output(rows(of, 0))), {"output", "digest", "length"})
            self.assertNotEqual(output(rows(of, 0)), output(rows(of, 2_507)))

    def test_that_leave_something_out_equal_nothing(self) -> None:
        class Table:
            def __str__(self) -> str:
                return "0 | … | 9"

        self.assertEqual(set(output(Table())), {"digest"})

    def test_are_bounded(self) -> None:
        many = [str(number) * 5 for number in range(200_000)]
        texts = {str(number): "y" * 4000 for number in range(1000)}
        for value in ({"text": "x" * 5_000_000}, many, texts, [[many]], {"s": frozenset(many)}, "x" * 5_000_000, [10**4000] * 9_000):
            self.assertLessEqual(len(_written(_plain(value))), 500_000)
        self.assertNotEqual(shown(texts), shown({**texts, "7": "z"}))

    def test_with_many_fields_differ_in_any_place(self) -> None:
        fields = {str(number): 1 for number in range(100_000)}
        self.assertEqual(shown(fields), shown({**fields}))
        self.assertNotEqual(shown(fields), shown({**fields, "99999": 2}))

    def test_keep_the_order_of_what_has_one(self) -> None:
        for kind in (deque, collections.UserList):
            self.assertNotEqual(shown(kind([1, 2])), shown(kind([2, 1])))
        self.assertNotEqual(shown(set(range(20_000))), shown(set(range(20_001))))

    def test_may_hold_themselves_or_be_deep(self) -> None:
        loop: Any = []
        loop.append(loop)
        deep: Any = 1
        for _ in range(100_000):
            deep = [deep]
        # What cannot be read equals nothing.
        for value in (loop, {"a": loop}, deep, Hostile(), 10**5000):
            self.assertNotEqual(shown(value), shown(value))


class Costs(unittest.TestCase):
    def test_of_a_value_have_a_limit(self) -> None:
        """A clock would fail on a slow machine, so this counts what is read."""
        read = 0

        class Part:
            def __str__(self) -> str:
                nonlocal read
                read += 1
                return "a part"

        part = Part()
        nested: Any = part
        for _ in range(7):
            nested = [nested] * 10
        rows = [{"id": part, "tags": [part, part]}] * 300_000
        fields = {number: part for number in range(300_000)}
        for value in ([part] * 1_000_000, (part,) * 1_000_000, deque([part] * 300_000), fields, fields.values(), rows, {"rows": rows}, Row("x", rows), nested):
            for look in (_plain, _output_fields):
                read = 0
                look(value)
                self.assertGreater(read, 0)
                self.assertLessEqual(read, 100_000)  # of two million

    def test_of_a_list_of_another_class_have_a_limit(self) -> None:
        read = 0

        class Rows(collections.UserList):  # type: ignore[type-arg]
            def __getitem__(self, at: Any) -> Any:
                nonlocal read
                read += 1
                return super().__getitem__(at)

            def __str__(self) -> str:
                raise AssertionError("all of it was read")

            __repr__ = __str__

        self.assertNotIn("digest", output(Rows(["row"] * 3_000)))
        self.assertEqual(set(output({"rows": Rows(["row"] * 300_000)})), {"digest"})
        self.assertLessEqual(read, 200_000)

    def test_of_numbers_in_memory_are_those_of_bytes(self) -> None:
        numbers = array.array("d", range(1_000))
        other = array.array("d", numbers)
        other[500] = 7.5
        for make in (lambda of: of, memoryview, lambda of: {"a": [of]}):
            self.assertEqual(output(make(numbers)), output(make(array.array("d", numbers))))
            self.assertNotEqual(output(make(numbers)), output(make(other)))
        self.assertLess(len(_written(_plain(array.array("d", range(300_000))))), 200)
        # The service would take a hash for a name that is new each time.
        self.assertEqual(set(output({"a": numbers})), {"output", "digest", "length"})
        # Equal bytes are other numbers in another format.
        self.assertNotEqual(output(array.array("b", b"a")), output(array.array("B", b"a")))

    def test_never_include_what_repr_does(self) -> None:
        class Lazy:
            def __repr__(self) -> str:
                raise AssertionError("a query was sent")

        self.assertEqual(shown(Lazy()), "<Lazy>")
        self.assertEqual(set(output([Lazy()])), {"digest"})

    def test_of_a_text_have_a_limit(self) -> None:
        text, many = "word " * 10_000_000, ["word " * 200_000] * 500

        def shortest(act: Callable[[], Any]) -> float:
            times = []
            for _ in range(3):
                start = time.perf_counter()
                act()
                times.append(time.perf_counter() - start)
            return min(times)

        whole = shortest(lambda: hashlib.sha256(text.encode()))
        for value in (text, many, text.encode(), {"text": text}):
            for look in (_plain, _output_fields):
                self.assertLess(shortest(lambda look=look, value=value: look(value)), 2 * whole)  # type: ignore[misc]


class Outputs(unittest.TestCase):
    def test_are_sent_whole_if_they_are_short(self) -> None:
        for value in ("x" * 131_072, {"a": [1]}, [1, None], 3, False):
            self.assertEqual(output(value), {"output": value})

    def test_are_cut_with_a_digest_and_the_length_of_the_whole(self) -> None:
        text = "a" * 600_000 + "the end"
        cut = output(text)
        self.assertEqual(cut["length"], len(text))
        self.assertTrue(cut["output"].endswith("the end"))
        self.assertLess(len(cut["output"]), 40_000)
        self.assertEqual(cut, output(text))
        self.assertNotEqual(cut["digest"], output("a" * 300_000 + "b" + "a" * 299_999 + "the end")["digest"])
        self.assertNotEqual(output([text]), output([text + "."]))

    def test_show_the_end_of_a_large_value(self) -> None:
        """A job may say how it is after a log of many lines."""
        job = {"log": ["line"] * 100_000, "status": "step 7"}
        cut = output(job)
        self.assertEqual(set(cut), {"output", "digest", "length"})
        self.assertTrue(cut["output"].endswith('"status":"step 7"}'))
        self.assertEqual(cut, output(job))

    def test_of_a_long_text_differ_in_any_part(self) -> None:
        text = "a" * 9_000_000
        for at in (0, 4_500_000, len(text) - 100):
            self.assertNotEqual(output(text)["digest"], output(text[:at] + "b" * 100 + text[at + 100 :])["digest"])

    def test_that_tell_nothing_equal_nothing(self) -> None:
        class Found:
            """As a query: its items are not among its fields."""

            def __init__(self) -> None:
                self.model, self._items = "job", [1]

            def __iter__(self) -> Any:
                return iter(self._items)

        class Empty:
            __slots__ = ("a",)

        tell_nothing = [(n for n in [1]), object(), threading.Lock(), Hostile(), Private(), Empty(), Found()]
        for value in [*tell_nothing, *([one] for one in tell_nothing), *({"a": {"b": one}} for one in tell_nothing), [memoryview(b"abcd")[::2]]]:
            self.assertEqual(set(output(value)), {"digest"})
            self.assertNotEqual(output(value), output(value))

    def test_may_be_rows_of_a_database(self) -> None:
        database = sqlite3.connect(":memory:")
        self.addCleanup(database.close)
        database.row_factory = sqlite3.Row
        rows = database.execute("select 1 as id, 'a' as title union select 2, 'b'").fetchall()
        self.assertEqual(output({"rows": rows}), {"output": {"rows": [{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]}})
        self.assertEqual(output(rows[0]), {"output": {"id": 1, "title": "a"}})
        # One name for two columns hides one of them.
        row = database.execute("select 1 as id, 2 as id").fetchone()
        self.assertNotEqual(output(row), output(row))

    def test_may_hold_objects_with_slots(self) -> None:
        self.assertEqual(output([Slotted("x")]), {"output": [{"name": "x"}]})
        self.assertNotEqual(output([Slotted("x")]), output([Slotted("y")]))

    def test_may_hold_lone_surrogates(self) -> None:
        self.assertEqual(output("a\ud800")["output"], "a\ud800")


if __name__ == "__main__":
    unittest.main()
