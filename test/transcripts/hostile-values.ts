import fc from "fast-check";

const DEPTH = 2000;

/** Nested far deeper than any stack: made as text, because building it by hand is what recursion would do. */
const deep: unknown = JSON.parse(`${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`);

/** Values that nobody expects in a field. */
export const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    "",
    "\0",
    "__proto__",
    "constructor",
    "\u001b]0;x\u0007",
    "9".repeat(400),
    "x".repeat(300_000),
    deep,
    [],
    {},
    [null],
    { length: -1 },
    JSON.parse('{"__proto__":{"type":"user"},"toString":1,"type":"assistant"}'),
  ),
  fc.jsonValue({ maxDepth: 4 }),
);
