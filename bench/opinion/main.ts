import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { OpinionVerdict } from "../../packages/doomloop/src/core/question.ts";
import { createGuard } from "../../packages/doomloop/src/index.ts";
import { type Data, findData, readLabels } from "../quality/data.ts";
import type { CreateGuard } from "../quality/guard.ts";
import { everydayTable, setOf, windowSets, windowsTable } from "../quality/quick.ts";
import type { QuickOrder, QuickRun } from "../quality/quick-run.ts";
import { replayFile } from "../quality/quick-run.ts";
import { toTable } from "../quality/report.ts";
import { askAll } from "./ask-all.ts";
import { createHearing, type Hearing, judgedBy, type OpenQuestion, type RecordedVerdict } from "./judged-guard.ts";

/**
 * What a second opinion adds: everyday sets and recorded windows with and without it.
 *
 * `main.ts [--url URL --model NAME] [--verdicts FILE] [--open FILE] [--part NAME ...]`. Verdicts that were written down are replayed from
 * the file; `--always VERDICT` says that about everything else. With `--url`, an endpoint that speaks like OpenAI's chat completions is asked about what the file does not have, and
 * its answers are added to the file. `--open` writes down the questions that nobody has answered, in no order that tells anything.
 */
const { values: asked } = parseArgs({
  options: {
    url: { type: "string" },
    model: { type: "string" },
    verdicts: { type: "string", default: join(import.meta.dirname, "verdicts.jsonl") },
    open: { type: "string" },
    always: { type: "string" },
    part: { type: "string", multiple: true, default: ["everyday", "windows", "sessions"] },
    set: { type: "string", multiple: true, default: ["3", "8", "slow 8"] },
  },
});

const CHARACTERS_PER_TOKEN = 4;
const data = findData({ folder: undefined, labels: undefined }, process.env);
for (const notice of data.notices) console.log(notice);
const orders = ordersOf(data);
const alone = replay(orders, createGuard);
let verdicts = readVerdicts(asked.verdicts);
let { runs, hearings } = hear();
if (asked.url !== undefined) {
  // Each answer may lead to another question.
  for (let open = openIn(hearings); open.length > 0; open = openIn(hearings)) {
    const answered = await askAll(open, {
      url: asked.url,
      model: asked.model ?? "",
      key: process.env.DOOMLOOP_OPINION_KEY,
    });
    verdicts = [...verdicts, ...answered];
    writeFileSync(asked.verdicts, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(""));
    ({ runs, hearings } = hear());
    if (answered.length === 0) break;
  }
}
if (asked.open !== undefined) writeFileSync(asked.open, `${JSON.stringify(openIn(hearings), undefined, 1)}\n`);
report();

function hear(): { runs: readonly QuickRun[]; hearings: ReadonlyMap<string, Hearing> } {
  const heard = new Map<string, Hearing>();
  const all = orders.flatMap((order) => {
    const name = groupOf(order);
    const hearing = heard.get(name) ?? createHearing(verdicts, asked.always as OpinionVerdict | undefined);
    heard.set(name, hearing);
    return replayFile(order, judgedBy(hearing)).runs;
  });
  return { runs: all, hearings: heard };
}

function replay(given: readonly QuickOrder[], create: CreateGuard): readonly QuickRun[] {
  return given.flatMap((order) => replayFile(order, create).runs);
}

function groupOf({ path, kind }: QuickOrder): string {
  if (kind !== "everyday") return kind === "sessions" ? "real sessions" : "recorded windows";
  return basename(path).startsWith("innocent") ? "everyday, honest" : "everyday, loops";
}

function ordersOf({ traces, labels }: Data): QuickOrder[] {
  const labelled = asked.part.includes("windows") ? readLabels(labels).windows.map(({ run }) => run) : [];
  const everyday = traces.everyday.filter((path) => asked.set.includes(nameOf(path)));
  return [
    ...(asked.part.includes("everyday") ? everyday.map((path) => orderOf(path, "everyday", [])) : []),
    ...(labelled.length > 0 ? traces.recorded.map((path) => orderOf(path, "recorded", labelled)) : []),
    ...(asked.part.includes("sessions") ? traces.sessions.map((path) => orderOf(path, "sessions", [])) : []),
  ];
}

/** No success is taken beside the runs that were judged; of sessions, all are. */
function orderOf(path: string, kind: QuickOrder["kind"], labelled: readonly string[]): QuickOrder {
  return { path, kind, labelled, oneIn: kind === "sessions" ? 1 : Number.MAX_SAFE_INTEGER };
}

function nameOf(path: string): string {
  return setOf(basename(path).replace(/\.jsonl(?:\.gz)?$/, ""));
}

function readVerdicts(path: string): RecordedVerdict[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as RecordedVerdict);
}

function openIn(heard: ReadonlyMap<string, Hearing>): OpenQuestion[] {
  const open = [...heard.values()].flatMap((hearing) => [...hearing.open.values()]);
  // Keys are digests, so their order tells nothing.
  return open.sort((one, other) => (one.key < other.key ? -1 : 1));
}

function report(): void {
  for (const [name, own] of [
    ["Rules alone", alone],
    ["With a second opinion", runs],
  ] as const) {
    console.log(`\n${name}\n`);
    const everyday = own.filter(({ kind }) => kind === "everyday");
    if (everyday.length > 0) console.log(everydayTable(everyday));
    if (asked.part.includes("windows")) console.log(`\n${windowsTable(windowSets(data.labels, own))}`);
    const sessions = own.filter(({ kind }) => kind === "sessions");
    if (sessions.length > 0)
      console.log(
        `\nreal sessions told: ${sessions.filter(({ words }) => words.length > 0).length} of ${sessions.length}`,
      );
  }
  console.log(`\n${questionsTable()}`);
}

function reasonsOf({ confirm = 0, hunch = 0, patrol = 0 }: Hearing["reasons"]): string {
  return [confirm, hunch, patrol].join(", ");
}

function questionsTable(): string {
  const rows = [...hearings].map(([name, { asked: count, calls, lengths, open, reasons }]) => {
    const sorted = lengths.map((length) => length / CHARACTERS_PER_TOKEN).sort((one, other) => one - other);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
    return [
      name,
      `${calls}`,
      `${count}`,
      ((100 * count) / calls).toFixed(2),
      reasonsOf(reasons),
      at(0.5),
      at(1),
      `${open.size}`,
    ];
  });
  return toTable(
    ["questions", "calls", "asked", "per 100 calls", "confirm, hunch, patrol", "tokens, median", "most", "unanswered"],
    rows,
    1,
  );
}
