import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codexHook } from "../../packages/doomloop/src/agents/codex/hook.ts";
import { copilotCliHook } from "../../packages/doomloop/src/agents/copilot-cli/hook.ts";
import { messageFor } from "../../packages/doomloop/src/core/messages/wording.ts";
import { startOverMessage } from "../../packages/doomloop/src/workspace/start-over.ts";
import { messagesPage } from "../../scripts/generated/messages.ts";
import { wordsIn } from "../messages/reading-grade.ts";
import { answer, FOUND, messagesAbout, outlook, SITUATIONS } from "../messages/situations.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** A line of a message whatever its numbers and tools are. */
const pattern = (line: string): string => line.replaceAll(/^(\d)\. |\d+/g, "$1#").replaceAll(/`\w+`/g, "`tool`");

const known = FOUND.flatMap(([, finding]) => [
  ...messagesAbout(finding).map(([, message]) => message),
  startOverMessage([finding]),
]);
const lines = new Set(known.flatMap((message) => message.split("\n").map(pattern)));

it.each([
  ["README.md", 1],
  ["docs/any-language.md", 1],
  ["docs/detectors.md", 2],
  ["docs/coding-agents.md", 1],
  ["docs/fleet.md", 1],
  ["docs/start/write-an-agent.md", 4],
  ["docs/start-over.md", 2],
])("quotes on %s only what the guard says today", (page, count) => {
  const quoted = [...read(page).matchAll(/^\[doomloop\] .*\n(?:- .*\n)*/gm)].flatMap(([words]) =>
    words.trimEnd().split("\n"),
  );

  expect(quoted).toHaveLength(count);
  for (const line of quoted) expect(lines, line).toContain(pattern(line));
});

it("says nothing in more than 35 words, wherever it speaks", () => {
  const cells = messagesPage()
    .split(/ \| |\n/)
    .filter((cell) => cell.startsWith("[doomloop] "))
    // What an attempt went wrong with is listed below its message.
    .map((cell) => cell.replace(/<br>.*/, ""));

  expect(cells.length).toBeGreaterThan(60);
  for (const cell of cells) expect(wordsIn(cell).length, cell).toBeLessThanOrEqual(35);
});

it.each([codexHook.turnEnd?.wayOut, copilotCliHook.prompt?.wayOut])(
  "stays within 35 words where an agent is told its way out between turns: %s",
  (wayOut) => {
    for (const finding of Object.values(SITUATIONS["text-only"])) {
      const last = messageFor(finding, answer("nudge", "last", "stop"), outlook("stop"));
      for (const message of [
        ...messagesAbout(finding)
          .slice(0, 3)
          .map(([, said]) => said),
        last,
      ])
        expect(wordsIn(`${message} ${wayOut}`).length, message).toBeLessThanOrEqual(35);
    }
  },
);
