import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { startOverMessage } from "../../packages/doomloop/src/workspace/start-over-message.ts";
import { messagesPage } from "../../scripts/messages/messages-page.ts";
import { FOUND, messagesAbout } from "../messages/situations.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** A line of a message whatever its numbers and tools are. */
const pattern = (line: string): string => line.replaceAll(/^(\d)\. |\d+/g, "$1#").replaceAll(/`\w+`/g, "`tool`");

const known = FOUND.flatMap(([, finding]) => [
  ...messagesAbout(finding).map(([, message]) => message),
  startOverMessage([finding]),
]);
const lines = new Set(known.flatMap((message) => message.split("\n").map(pattern)));

it("lists every message as the guard words it (node scripts/write-messages.ts)", () => {
  expect(read("docs/messages.md")).toBe(messagesPage());
});

it.each([
  ["README.md", 1],
  ["docs/any-language.md", 1],
  ["docs/detectors.md", 2],
  ["docs/start/run-a-coding-agent.md", 1],
  ["docs/start/run-a-fleet.md", 1],
  ["docs/start/write-an-agent.md", 4],
  ["docs/start-over.md", 2],
])("quotes on %s only what the guard says today", (page, count) => {
  const quoted = [...read(page).matchAll(/^\[doomloop\] .*\n(?:- .*\n)*/gm)].flatMap(
    ([words]) => words.trimEnd().split("\n"),
  );

  expect(quoted).toHaveLength(count);
  for (const line of quoted) expect(lines, line).toContain(pattern(line));
});
