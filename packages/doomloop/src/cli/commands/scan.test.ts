import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters as plain } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../../core/event.ts";
import { sessionId } from "../../scan/dedupe-runs.ts";
import { samplePath } from "../command-line/shared-options.ts";
import { type ScanOptions, scan } from "./scan.ts";

/** The id of the session in which a loop is. */
const NEW = sessionId({ agent: "trace", run: "new" });
const ERASE_BELOW = "A\r\u001b[J";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-screen-"));
  const long = step("note", { text: "x".repeat(100_000) }, "ok");
  for (const part of [1, 2, 3]) write(`old-${part}.jsonl`, trace("old", long).repeat(20), 1);
  // Each look at the clock is a tenth of a second later: what is shown depends on no machine.
  let nowMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
  write("new.jsonl", trace("new", times(8, step("read_file", { path: "a.ts" }, "no such file", { error: true }))), 2);
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function trace(run: string, events: readonly AgentEvent[]): string {
  return `${JSON.stringify({ run, events })}\n`;
}

function write(name: string, text: string, day: number): void {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), day * 86_400, day * 86_400);
}

/** What a terminal of some rows is shown during a scan, and what is printed at its end. */
async function screensOf(options: ScanOptions, rows: number, width?: number, path = folder) {
  const screens: string[] = [];
  let printed = "";
  const output = {
    isClosed: false,
    write: (text: string) => {
      printed += text;
      return Promise.resolve();
    },
  };
  const messages = { isTTY: true, rows, write: (text: string | Uint8Array) => screens.push(String(text)) > 0 };
  const input = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }),
  };
  await scan([path], { ...options, cache: false, config: false }, { input, output, width, messages });
  return { screens, printed };
}

it("shows what it found so far, the newest first, and takes it away before the summary", async () => {
  const { screens, printed } = await screensOf({}, 40, 100);
  const first = plain(screens.find((screen) => screen.includes("Newest first, ")) ?? "");

  expect(first).toMatch(/Newest first, 1 of 4 files read: the only session so far went in circles/);
  expect(first).toMatch(/read_file a\.ts +8x/);
  expect(first).toMatch(/\nScanning 0% of 6\.\dMB[^\n]*$/);
  expect(screens.at(-1)!.endsWith(ERASE_BELOW)).toBe(true);
  expect(plain(printed)).toMatch(/^An agent read a\.ts 8 times in a row\.\n1 of 61 sessions went in circles/);
});

it("keeps the filters in the commands that it proposes", async () => {
  const options: ScanOptions = { since: "1970-01-01", agent: ["trace"], preset: "conservative" };
  const { printed } = await screensOf({ ...options, session: NEW }, 40, 200);
  const chosen = `--since 1970-01-01 --session ${NEW} --agent trace`;

  expect(printed).toContain(`doomloop show ${NEW} ${folder} --preset conservative --no-config\n`);
  expect(printed).toContain(`doomloop scan ${folder} ${chosen} --preset conservative --no-config --open\n`);
  expect(printed).toContain(`doomloop tune ${folder} ${chosen} --no-config\n`);
});

it("prints for the sample what the page about scans shows", async () => {
  const page = readFileSync(new URL("../../../../../docs/scan.md", import.meta.url), "utf8");
  const { printed } = await screensOf({}, 40, 80, samplePath());
  const ago = (text: string): string => text.replaceAll(/ {2}(?:\d+\w+ ago|\d{4}-\d\d-\d\d)/g, "  ago");

  // As on the path, whichever way the tests were started.
  const shown = plain(printed)
    .replaceAll(" --no-config", "")
    .replace("npm install --global doomloop && doomloop init", "doomloop init")
    .replaceAll("npx doomloop", "doomloop");
  expect(ago(page)).toContain(ago(`\n\`\`\`\n${shown}\`\`\`\n`));
});

it.each([
  { title: "a terminal without room for it", options: {}, rows: 8, width: 100 },
  { title: "a summary that goes elsewhere", options: {}, rows: 40, width: undefined },
  { title: "a report for programs", options: { json: true }, rows: 40, width: 100 },
])("shows no more than a line for $title", async ({ options, rows, width }) => {
  const { screens } = await screensOf(options, rows, width);

  expect(screens.length).toBeGreaterThan(0);
  expect(screens.join("")).not.toContain("\n");
});

it("says that there are sessions, where none match, and which options leave them out", async () => {
  const projects = await screensOf({ project: "zzz" }, 40, 100, samplePath());
  const sessions = await screensOf({ session: "zzz", agent: ["claude-code"] }, 40, 100, samplePath());
  const one = await screensOf({ session: "zzz" }, 40, 100, join(folder, "new.jsonl"));

  expect(projects.printed).toBe("4 sessions, none match --project zzz (all time).\n");
  expect(sessions.printed).toBe("4 sessions, none match --session zzz --agent claude-code (all time).\n");
  expect(one.printed).toBe("1 session, it does not match --session zzz (all time).\n");
});

it("advises what the other options allow, where there are no sessions", async () => {
  const { printed } = await screensOf({ last: "1h" }, 40, 100, join(folder, "new.jsonl"));

  expect(printed).toMatch(
    /^No sessions found \(the last hour\)\.\nWithout --last, sessions of any time are scanned\.\n/,
  );
});

it("counts subagents as part of their main agent's session where none match", async () => {
  const place = join(folder, "team");
  mkdirSync(place);
  const says = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] };
  for (const [id, source] of [
    ["main", "cli"],
    ["part", { subagent: { thread_spawn: { parent_thread_id: "main" } } }],
  ] as const) {
    const records = [
      { type: "session_meta", payload: { id, source } },
      { type: "response_item", payload: says },
    ];
    writeFileSync(join(place, `rollout-${id}.jsonl`), records.map((record) => JSON.stringify(record)).join("\n"));
  }

  const { printed } = await screensOf({ session: "zzz" }, 40, 100, place);
  expect(printed).toBe("1 session, it does not match --session zzz (all time).\n");
});
