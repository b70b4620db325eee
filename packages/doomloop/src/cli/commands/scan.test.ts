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

/** What is printed at the end of a scan. */
async function printedBy(options: ScanOptions, width?: number, path = folder): Promise<string> {
  let printed = "";
  const output = {
    isClosed: false,
    write: (text: string) => {
      printed += text;
      return Promise.resolve();
    },
  };
  const messages = { isTTY: true, write: () => true };
  const input = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }),
  };
  await scan([path], { ...options, cache: false, config: false }, { input, output, width, messages });
  return printed;
}

it("keeps the filters in the commands that it proposes", async () => {
  const options: ScanOptions = { since: "1970-01-01", agent: ["trace"], preset: "conservative" };
  const printed = await printedBy({ ...options, session: NEW }, 200);
  const chosen = `--since 1970-01-01 --session ${NEW} --agent trace`;

  expect(printed).toContain(`doomloop show ${NEW} ${folder} --preset conservative --no-config\n`);
  expect(printed).toContain(`doomloop scan ${folder} ${chosen} --preset conservative --no-config --open\n`);
  expect(printed).toContain(`doomloop tune ${folder} ${chosen} --no-config\n`);
});

it("prints for the sample what the page about scans shows", async () => {
  const page = readFileSync(new URL("../../../../../docs/scan.md", import.meta.url), "utf8");
  const printed = await printedBy({}, 80, samplePath());
  const ago = (text: string): string => text.replaceAll(/ {2}(?:\d+\w+ ago|\d{4}-\d\d-\d\d)/g, "  ago");

  // As on the path, whichever way the tests were started.
  const shown = plain(printed)
    .replaceAll(" --no-config", "")
    .replace("npm install --global doomloop && doomloop init", "doomloop init")
    .replaceAll("npx doomloop", "doomloop");
  expect(ago(page)).toContain(ago(`\n\`\`\`\n${shown}\`\`\`\n`));
});

it("says that there are sessions, where none match, and which options leave them out", async () => {
  const projects = await printedBy({ project: "zzz" }, 100, samplePath());
  const sessions = await printedBy({ session: "zzz", agent: ["claude-code"] }, 100, samplePath());
  const one = await printedBy({ session: "zzz" }, 100, join(folder, "new.jsonl"));

  expect(projects).toBe("4 sessions, none match --project zzz (all time).\n");
  expect(sessions).toBe("4 sessions, none match --session zzz --agent claude-code (all time).\n");
  expect(one).toBe("1 session, it does not match --session zzz (all time).\n");
});

it("advises what the other options allow, where there are no sessions", async () => {
  const printed = await printedBy({ last: "1h" }, 100, join(folder, "new.jsonl"));

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

  const printed = await printedBy({ session: "zzz" }, 100, place);
  expect(printed).toBe("1 session, it does not match --session zzz (all time).\n");
});
