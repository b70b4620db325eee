import fc from "fast-check";

/** Settings of a coding agent as people have them, in every layout: other hooks, comments, odd indentation, carriage returns. */
export const arbitrarySettings: fc.Arbitrary<string> = fc
  .record({
    value: fc.record(
      {
        model: fc.string(),
        hooks: fc.dictionary(
          fc.constantFrom("PreToolUse", "Stop", "SessionStart"),
          fc.array(fc.record({ matcher: fc.string(), hooks: fc.array(fc.record({ command: fc.string() })) })),
        ),
        env: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
      },
      { requiredKeys: [] },
    ),
    indent: fc.constantFrom("", " ", "   ", "    ", "\t"),
    newline: fc.constantFrom("\n", "\r\n"),
    comment: fc.constantFrom("", " // 1, {", ' /* ] " */'),
    isTrailing: fc.boolean(),
    end: fc.constantFrom("", "\n", "\n\n", "  "),
    mark: fc.constantFrom("", "\uFEFF"),
  })
  .map(({ value, indent, newline, comment, isTrailing, end, mark }) => {
    const lines = JSON.stringify(value, undefined, indent).split("\n");
    const written = lines.map((line, at) => {
      const isLast = isTrailing && /["\w\]}]$/.test(line) && /^\s+[\]}]/.test(lines[at + 1] ?? "");
      return `${line}${isLast ? "," : ""}${indent === "" ? "" : comment}`;
    });
    return `${mark}${written.join("\n")}${end}`.replaceAll("\n", newline);
  });
