import type { Question } from "../core/question.ts";
import { foldSteps, type StepGroup } from "./fold-steps.ts";
import type { RecordedStep, RunRecord } from "./run-record.ts";
import { createShow, type ExcerptKind, type Show, shownArgument, shownTool, weightOf } from "./show-text.ts";

type View = ReturnType<RunRecord["view"]>;

/** Lines of steps, and the weight of the whole: about four for a token. */
const MAX_LINES = 10;
const MAX_WEIGHT = 2_200;
const FEWEST_LINES = 3;
const LONGEST_REQUEST = 320;
const LONGEST_MESSAGE = 200;
const LONGEST_SAID = 120;
const STRETCH = 40;
const LONG_PAUSE_MS = 20_000;

/** A short excerpt of a run for another model: what was asked, figures, and the latest steps. */
export function excerptOf(record: RunRecord, question: Pick<Question, "why" | "finding">, kind: ExcerptKind): string {
  const view = record.view();
  const show = createShow(kind);
  const head = [...requestLines(view, show), figuresLine(view), ...countLines(view, question)];
  const groups = foldSteps(view.steps).slice(-MAX_LINES);
  const room = Math.max(90, Math.floor((MAX_WEIGHT - weightOf(head.join("\n"))) / Math.max(1, groups.length)));
  const lines = groups.map((group) => stepLines(view.steps, group, show, room));
  const words = view.said
    .filter(({ before }) => before >= view.calls)
    .map(({ text }) => `agent says: ${show.text(text, LONGEST_SAID)}`);
  const fixed = [...head, "STEPS, oldest first:"].join("\n");
  while (lines.length > FEWEST_LINES && weightOf(fixed) + weightOf(lines.join("\n")) > MAX_WEIGHT) lines.shift();
  return [fixed, ...lines, ...words.slice(-2)].join("\n");
}

function requestLines({ request, latest, users, calls }: View, show: Show): string[] {
  const lines = [`TASK: ${request === undefined ? "(not recorded)" : show.text(request, LONGEST_REQUEST)}`];
  if (latest !== undefined)
    lines.push(
      `LATEST USER MESSAGE (${calls - latest.before} calls ago; ${users} in all): ${show.text(latest.text, LONGEST_MESSAGE)}`,
    );
  return lines;
}

function figuresLine({ steps, calls, rounds }: View): string {
  const stretch = steps.slice(-STRETCH);
  const callsSeen = new Set<string>();
  const outcomesSeen = new Set<string>();
  let [repeats, known, failed] = [0, 0, 0];
  for (const { call, tool, outcome } of stretch) {
    if (callsSeen.has(call)) repeats++;
    callsSeen.add(call);
    if (outcome === undefined) continue;
    const name = `${tool} ${outcome.masked}`;
    if (outcomesSeen.has(name)) known++;
    outcomesSeen.add(name);
    if (outcome.isFailed) failed++;
  }
  return `SO FAR: ${calls} calls in ${rounds} rounds. Of the last ${stretch.length}: ${repeats} repeat an earlier call, ${known} got an outcome that the tool gave before, ${failed} failed.`;
}

/** The count that the request names, beside the count so far; and what a rule has counted. */
function countLines({ steps, asked }: View, { finding }: Pick<Question, "finding">): string[] {
  const lines: string[] = [];
  const last = steps.at(-1);
  if (asked > 0 && last !== undefined) {
    const done = steps.filter(({ tool }) => tool === last.tool).length;
    lines.push(
      `COUNT: the task names ${asked}; \`${last.tool}\` was called ${done} times in the last ${steps.length}.`,
    );
  }
  if (finding !== undefined)
    lines.push(
      `A RULE SUSPECTS: ${finding.kind}, ${finding.count} times, about ${finding.tools.slice(0, 3).map(shownTool).join(", ")}`,
    );
  return lines;
}

function stepLines(steps: readonly RecordedStep[], group: StepGroup, show: Show, room: number): string {
  if (group.kind === "laps") {
    const { first, period, laps, isExact } = group;
    const names = steps.filter(({ index }) => index >= first && index < first + period).map(({ tool }) => tool);
    const how = isExact ? "the same outcomes" : `the same outcomes but for numbers${movingIn(steps, group, show)}`;
    return `#${first}-#${first + laps * period - 1} the ${period} calls before (${names.join(", ")}) again in turn, ${laps} more times, with ${how}`;
  }
  const { step, more } = group;
  const line = `#${step.index}${pauseBefore(steps, step)} ${callText(steps, step, show, Math.floor(room * 0.45))} -> ${outcomeText(steps, step, show, Math.floor(room * 0.5))}`;
  const latest = more.at(-1);
  if (latest === undefined) return line;
  const range = more.length === 1 ? `#${latest.index}` : `#${more[0]!.index}-#${latest.index}`;
  return `${line}\n${range} the same call ${more.length} more ${more.length === 1 ? "time" : "times"}${everySo(step, latest, more.length)}: ${howAlike(step, more, show)}`;
}

type Laps = Extract<StepGroup, { kind: "laps" }>;

/** The first number that moves from lap to lap, and in which call. */
function movingIn(steps: readonly RecordedStep[], { first, period, laps }: Laps, show: Show): string {
  const lap = steps.filter(({ index }) => index >= first && index < first + period);
  for (const step of lap) {
    const own = steps.filter(
      ({ index }) =>
        index >= step.index - period && index < step.index + laps * period && (index - step.index) % period === 0,
    );
    const moving = movingNumber(own.map(({ outcome }) => outcome?.text ?? ""));
    if (moving !== undefined) return `; ${shownTool(step.tool)} goes ${show.numbers(moving)}`;
  }
  return "";
}

function howAlike(step: RecordedStep, more: readonly RecordedStep[], show: Show): string {
  if (step.outcome === undefined) return "no outcomes were recorded";
  if (more.every(({ outcome }) => outcome?.exact === step.outcome?.exact)) return "equal outcomes";
  const moving = movingNumber([step, ...more].map(({ outcome }) => outcome?.text ?? ""));
  return `outcomes equal but for ${moving === undefined ? "times or ids" : `a number that goes ${show.numbers(moving)}`}`;
}

/** The first number that differs between texts that are equal but for numbers: the first and the latest of them. */
function movingNumber(texts: readonly string[]): readonly string[] | undefined {
  const rows = texts.map((text) => text.slice(0, 400).match(/\d+(?:\.\d+)?/g) ?? []);
  const length = Math.min(...rows.map((row) => row.length));
  for (let at = 0; at < length; at++) {
    const column = rows.map((row) => row[at]!);
    if (new Set(column).size > 1) return column.length > 6 ? [...column.slice(0, 3), ...column.slice(-3)] : column;
  }
  return undefined;
}

function everySo(first: RecordedStep, last: RecordedStep, count: number): string {
  if (first.at === undefined || last.at === undefined || last.at <= first.at) return "";
  return `, about every ${spanOf((last.at - first.at) / count)}`;
}

function pauseBefore(steps: readonly RecordedStep[], step: RecordedStep): string {
  const before = steps.find(({ index }) => index === step.index - 1);
  if (before === undefined) return "";
  const gapMs = step.at === undefined || before.at === undefined ? 0 : step.at - before.at;
  const pause = gapMs >= LONG_PAUSE_MS ? ` +${spanOf(gapMs)}` : "";
  return before.round === step.round ? `${pause} (same round)` : pause;
}

function spanOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 100) return `${seconds}s`;
  return seconds < 6_000 ? `${Math.round(seconds / 60)}min` : `${Math.round(seconds / 3_600)}h`;
}

function callText(steps: readonly RecordedStep[], step: RecordedStep, show: Show, room: number): string {
  const same = steps.findLast(({ index, call }) => index < step.index && call === step.call);
  const mark = same === undefined ? "" : ` as #${same.index}`;
  return `${step.tool}${mark}(${fieldsText(differing(steps, step), show, same === undefined ? room : Math.floor(room / 2))})`;
}

function fieldsText(fields: RecordedStep["fields"], show: Show, room: number): string {
  const each = Math.max(24, Math.floor(room / Math.max(1, fields.length)));
  let text = "";
  for (const [name, value] of fields) {
    if (weightOf(text) > room) return `${text}, …`;
    const shown = `${name === "" ? "" : `${shownArgument(name)}=`}${show.value(name, value, each)}`;
    text = text === "" ? shown : `${text}, ${shown}`;
  }
  return text;
}

/** The arguments without those that the tool's call before had, too: what differs tells more. */
function differing(steps: readonly RecordedStep[], step: RecordedStep): RecordedStep["fields"] {
  const before = steps.findLast(({ index, tool }) => index < step.index && tool === step.tool);
  if (before === undefined || step.fields.length < 2) return step.fields;
  const own = step.fields.filter(
    ([name, value, length]) =>
      !before.fields.some((other) => other[0] === name && other[1] === value && other[2] === length),
  );
  return own.length === 0 ? step.fields : own;
}

function outcomeText(steps: readonly RecordedStep[], step: RecordedStep, show: Show, room: number): string {
  const { outcome, tool, index } = step;
  if (outcome === undefined) return "(no outcome recorded)";
  if (outcome.isRefusal) return "REFUSED";
  const earlier = (by: "exact" | "masked" | "words"): number | undefined =>
    steps.findLast((other) => other.index < index && other.tool === tool && other.outcome?.[by] === outcome[by])?.index;
  const equal = earlier("exact");
  const alike = equal ?? earlier("masked") ?? earlier("words");
  const mark = equal !== undefined ? `=#${equal}` : alike !== undefined ? `~#${alike}` : "new";
  const length = outcome.length > 2 * room ? ` [${outcome.length} characters]` : "";
  return `${mark}${outcome.isFailed ? " FAILED" : ""} "${show.text(outcome.text, alike === undefined ? room : 70)}"${length}`;
}
