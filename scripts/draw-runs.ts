import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseRun } from "../packages/doomloop/src/transcripts/trace/read-trace.ts";
import type { TraceRun } from "../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { drawEvidence, type Phase, phaseFaults, weighRun } from "./pictures/draw-evidence.ts";
import { drawRun } from "./pictures/draw-run.ts";
import { type CallRow, checkRun, playRun, type Row } from "./pictures/play-run.ts";
import { socialPicture, sourceOf } from "./pictures/social-picture.ts";
import { keepFile, readText, report, root } from "./repository.ts";

/**
 * Plays the hand-written runs of the docs through the guard and draws them. With `--check` nothing is written: it fails where a picture is
 * not what would be drawn now, and where the guard does not call a loop what its page calls it.
 */
const SHOWN_FROM = 5;
/** Still readable on a phone. */
const KIND_WIDTH = 480;
/** What happens in docs/pictures/evidence.jsonl. */
const PHASES: readonly Phase[] = [
  { from: 1, to: 5, does: "rises", words: "The same test fails in the same way." },
  { from: 6, to: 9, does: "falls", words: "Reads and edits that bring something new." },
  {
    from: 10,
    to: 20,
    does: "rises",
    words: "The test fails in another way, then the same again and again. Call 20 is refused.",
  },
  { from: 21, to: 22, does: "stays", words: "Reads another file, so the test may run once more." },
  { from: 23, to: 33, does: "rises", words: "Insists on the refused call. Two get through, and the run is ended." },
];
const isCall = (call: number) => (row: Row) => row.type === "call" && row.call === call;
const faults: string[] = [];
const files = new Map<string, string>();
drawReadme();
drawKinds();
drawWeights();

for (const [path, content] of files) faults.push(...keepFile(path, content, "scripts/draw-runs.ts"));
for (const path of globSync("docs/pictures/kinds/*.svg", { cwd: root }))
  if (!files.has(path.replaceAll("\\", "/"))) faults.push(`${path}: no run is drawn there any more`);
if (sourceOf(readFileSync(join(root, "docs/public/social.png"))) !== socialPicture())
  faults.push("docs/public/social.png: is not what `node scripts/draw-social.ts` draws now");
report(faults, `${files.size} files`);

/** The run from where it goes in circles to its end. */
function drawReadme(): void {
  const [{ run, task = run, events }] = readRuns("docs/pictures/loop.jsonl") as [TraceRun];
  const { rows, spared } = playRun(events);
  const nudged = rows.filter((row) => row.type === "call" && row.said.some(({ action }) => action === "nudge"));
  const left = nudged.slice(1) as CallRow[];
  const shown = rows
    .slice(rows.findIndex(isCall(SHOWN_FROM)))
    .map((row) => (left.includes(row as CallRow) ? { ...(row as CallRow), said: [] } : row));
  const caption = `Firmer nudges at calls ${left.map(({ call }) => call).join(" and ")} are left out.`;
  const draw = (name: string, theme: "light" | "dark" | "both", width: number) =>
    files.set(`docs/pictures/${name}.svg`, drawRun({ rows: shown, spared }, { title: task, theme, caption, width }));
  // GitHub chooses between pictures, the site within one.
  for (const theme of ["light", "dark"] as const) {
    draw(`loop-${theme}`, theme, 600);
    draw(`loop-narrow-${theme}`, theme, 420);
  }
  draw("loop", "both", 600);
  draw("loop-narrow", "both", 420);
}

/** One loop for each kind. */
function drawKinds(): void {
  for (const { run: kind, task = kind, events } of readRuns("docs/pictures/kinds.jsonl")) {
    const played = playRun(events);
    const fault = checkRun(kind, played);
    if (fault !== undefined) faults.push(fault);
    files.set(`docs/pictures/kinds/${kind}.svg`, drawRun(played, { title: task, theme: "both", width: KIND_WIDTH }));
  }
}

/** How evidence rises and falls over one run. */
function drawWeights(): void {
  const [{ task = "", events }] = readRuns("docs/pictures/evidence.jsonl") as [TraceRun];
  const run = weighRun(events);
  faults.push(...phaseFaults(run, PHASES));
  if (run.at(-1)?.action !== "stop" || run.length !== PHASES.at(-1)?.to)
    faults.push("docs/pictures/evidence.jsonl: the run ends at another call");
  for (const [name, width] of [["evidence", 660] as const, ["evidence-narrow", 342] as const])
    files.set(`docs/pictures/${name}.svg`, drawEvidence(run, PHASES, task, width));
}

/** The runs of a trace, one a line. */
function readRuns(file: string): readonly TraceRun[] {
  const lines = readText(file).split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const run = parseRun(line);
      if (run === undefined) throw new Error(`${file}: a run is required in line ${index + 1}, got something else`);
      return run;
    });
}
