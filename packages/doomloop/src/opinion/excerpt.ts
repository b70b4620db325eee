import type { Question } from "../core/question.ts";
import { createSecrets } from "../privacy/mask-secrets.ts";
import { foldSteps, type StepGroup } from "./fold-steps.ts";
import { cut, type RecordedStep, type RunRecord } from "./run-record.ts";

/** `text`: shortened, with secrets masked. `shapes`: no foreign text at all, only names of tools and arguments, lengths and comparisons. */
export type ExcerptKind = "text" | "shapes";

type View = ReturnType<RunRecord["view"]>;

/** Lines of steps, and characters of the whole. */
const MAX_LINES = 10;
const MAX_LENGTH = 2_200;
const LONGEST_REQUEST = 320;
const LONGEST_MESSAGE = 200;
const STRETCH = 40;
const LONG_PAUSE_MS = 20_000;

/** A short excerpt of a run for another model: what was asked, figures, and the latest steps. */
export function excerptOf(record: RunRecord, question: Pick<Question, "why" | "finding">, kind: ExcerptKind): string {
  const view = record.view();
  const show = createShow(kind);
  const head = [...requestLines(view, show), figuresLine(view), ...countLines(view, question)];
  const groups = foldSteps(view.steps).slice(-MAX_LINES);
  const room = Math.max(90, Math.floor((MAX_LENGTH - head.join("\n").length) / Math.max(1, groups.length)));
  const lines = groups.map((group) => stepLines(view.steps, group, show, room));
  const words = view.said
    .filter(({ before }) => before >= view.calls)
    .map(({ text }) => `agent says: ${show(text, 120)}`);
  const fixed = [...head, "STEPS, oldest first:"].join("\n");
  while (lines.length > 4 && fixed.length + lines.join("\n").length > MAX_LENGTH) lines.shift();
  return [fixed, ...lines, ...words].join("\n");
}

type Show = (text: string, length: number) => string;

/** One line, cut, without secrets and without characters that only pretend to be something else. */
function createShow(kind: ExcerptKind): Show {
  const secrets = createSecrets();
  if (kind === "shapes") return (text) => `(${text.length} characters)`;
  return (text, length) => {
    const line = text
      .slice(0, 8 * length + 400)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g, " ")
      .split("\n")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(" / ");
    return cut(secrets.mask(line), length);
  };
}

function requestLines({ request, latest, users, calls }: View, show: Show): string[] {
  const lines = [`TASK: ${request === undefined ? "(not recorded)" : show(request, LONGEST_REQUEST)}`];
  if (latest !== undefined)
    lines.push(
      `LATEST USER MESSAGE (${calls - latest.before} calls ago; ${users} in all): ${show(latest.text, LONGEST_MESSAGE)}`,
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
function countLines({ steps, wanted }: View, { finding }: Pick<Question, "finding">): string[] {
  const lines: string[] = [];
  const last = steps.at(-1);
  const asked = wanted.times || wanted.items;
  if (asked > 0 && last !== undefined) {
    const done = steps.filter(({ tool }) => tool === last.tool).length;
    lines.push(
      `COUNT: the task names ${asked}; \`${last.tool}\` was called ${done} times in the last ${steps.length}.`,
    );
  }
  if (finding !== undefined)
    lines.push(
      `A RULE SUSPECTS: ${finding.kind}, ${finding.count} times, about ${finding.tools.slice(0, 3).join(", ")}`,
    );
  return lines;
}

function stepLines(steps: readonly RecordedStep[], group: StepGroup, show: Show, room: number): string {
  if (group.kind === "laps") {
    const { first, period, laps, isExact } = group;
    const lap = steps.filter(({ index }) => index >= first && index < first + period);
    const names = lap.map(({ tool }) => tool);
    const moving = isExact ? "" : movingIn(steps, lap, period, laps);
    const how = isExact ? "the same outcomes" : `the same outcomes but for numbers${moving}`;
    return `#${first}-#${first + laps * period - 1} the ${period} calls before (${names.join(", ")}) again in turn, ${laps} more times, with ${how}`;
  }
  const { step, more } = group;
  const line = `#${step.index}${pauseBefore(steps, step)} ${callText(steps, step, show, Math.floor(room * 0.45))} -> ${outcomeText(steps, step, show, Math.floor(room * 0.5))}`;
  const latest = more.at(-1);
  if (latest === undefined) return line;
  const range = more.length === 1 ? `#${latest.index}` : `#${more[0]!.index}-#${latest.index}`;
  return `${line}\n${range} the same call ${more.length} more ${more.length === 1 ? "time" : "times"}${everySo(step, latest, more.length)}: ${howAlike(step, more)}`;
}

/** The first number that moves from lap to lap, and in which call. */
function movingIn(steps: readonly RecordedStep[], lap: readonly RecordedStep[], period: number, laps: number): string {
  for (const step of lap) {
    const own = steps.filter(
      ({ index }) =>
        index >= step.index - period && index < step.index + laps * period && (index - step.index) % period === 0,
    );
    const moving = movingNumber(own.map(({ outcome }) => outcome?.text ?? ""));
    if (moving !== "") return `; ${step.tool} goes ${moving}`;
  }
  return "";
}

function howAlike(step: RecordedStep, more: readonly RecordedStep[]): string {
  if (step.outcome === undefined) return "no outcomes were recorded";
  if (more.every(({ outcome }) => outcome?.exact === step.outcome?.exact)) return "equal outcomes";
  const moving = movingNumber([step, ...more].map(({ outcome }) => outcome?.text ?? ""));
  return `outcomes equal but for ${moving === "" ? "times or ids" : `a number that goes ${moving}`}`;
}

/** The first number that differs between texts that are equal but for numbers. */
function movingNumber(texts: readonly string[]): string {
  const rows = texts.map((text) => text.slice(0, 400).match(/\d+(?:\.\d+)?/g) ?? []);
  const length = Math.min(...rows.map((row) => row.length));
  for (let at = 0; at < length; at++) {
    const column = rows.map((row) => row[at]!);
    if (new Set(column).size === 1) continue;
    return (column.length > 6 ? [...column.slice(0, 3), "…", ...column.slice(-3)] : column).join(", ");
  }
  return "";
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
  const shown = differing(steps, step);
  const each = Math.max(24, Math.floor((same === undefined ? room : room / 2) / Math.max(1, shown.length)));
  const fields = shown.map(([name, value]) => `${name === "" ? "" : `${nameOf(name)}=`}${show(value, each)}`);
  return `${step.tool}${mark}(${fields.join(", ")})`;
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

/** Names of arguments are foreign, too. */
function nameOf(name: string): string {
  return /^[A-Za-z_][\w.-]{0,31}$/.test(name) ? name : "?";
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
  return `${mark}${outcome.isFailed ? " FAILED" : ""} "${show(outcome.text, alike === undefined ? room : 70)}"${length}`;
}
