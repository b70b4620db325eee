import { isTestRun } from "./is-test-run.ts";
import { baseName, isAssignment, MEASURING, OUTSIDE, operandAfter, programEffect, Rank, unwrap } from "./programs.ts";
import type { Command } from "./tokenize.ts";

/** What has been read of a command line so far. */
export type Draft = ReturnType<typeof createDraft>;

export const PIPE = "\0|";

export function createDraft() {
  return {
    substance: "",
    /** Goes before the next piece of substance. */
    separator: "",
    /** Off inside substitutions, whose text is already in the substance. */
    isEmitting: true,
    /** Where leading `cd`s lead: "" for the shell's own folder, undefined if only the shell knows. */
    directory: "" as string | undefined,
    file: undefined as string | undefined,
    effect: 0,
    waitMs: 0,
    /** Commands that do not come after a pipe. */
    pipelines: 0,
    /** The output goes into a filter or a file, or the input is not the file itself. */
    isDiverted: false,
    isCompound: false,
    isOutside: false,
    isStarting: false,
    isMeasuring: false,
    isFileOperation: false,
    isFaulty: false,
  };
}

/** Adds words to the substance, after the pending separator. */
export function emit(draft: Draft, words: readonly string[], from = 0): void {
  for (let index = from; index < words.length; index++) {
    if (draft.isEmitting) draft.substance += draft.substance === "" ? words[index]! : draft.separator + words[index]!;
    draft.separator = "\0 ";
  }
}

const SHELL = /^(?:ba|z|da|a|k)?sh$/;
const SCRIPT_OPTION = /^-[a-z]*c$/;
const BUILDER = /^(?:g?make|ninja)$/;
const VIEWER = /^(?:cat|head|tail|sed|nl|less|more|bat|batcat)$/;
const FILE_PROGRAM = /^(?:mv|cp|rm|mkdir|rmdir|touch|ln|tee|truncate|unlink|rename|patch|dd|ed|ex|g?sed|perl)$/;
const GIT_OUTSIDE = /^(?:push|pull|fetch|clone|ls-remote)$/;
const BENCHMARK = /^(?:-{0,2}bench(?:mark)?s?)(?:$|[:=_.-])/;
/** Output to a file, not to another descriptor or a device. */
export const WRITING = /\0>\d*(?:&?>>?\|?(?!&|\/dev\/(?!shm\/))[^>|]|>&[^\d-])/;
const INPUT_FILE = /\0><([^\0]+)(?:\0>|$)/;

/** Reads one simple command. Returns the script of `bash -c '...'`, to be read in its place. */
export function readProgram(draft: Draft, command: Command): string | undefined {
  const { words, redirections, documents } = command;
  const isPiped = draft.separator === PIPE;
  const kept: string[] = [];
  let start = 0;
  while (isAssignment(words[start])) kept.push(words[start++]!);
  const from = unwrap(words, start, kept);
  const program = baseName(words[from] ?? "");
  emit(draft, kept);
  if (SHELL.test(program)) {
    const option = words.findIndex((word, index) => index > from && !/^-(?![a-z]*c$)/.test(word));
    if (SCRIPT_OPTION.test(words[option] ?? "") && words.length > option + 1) return words[option + 1];
  }
  emit(draft, words, from);
  if (!isPiped && draft.isEmitting) draft.pipelines++;
  if (program === "") return undefined;
  let effect = programEffect(words, from);
  // What a filter or a substitution changed stays changed if the rest fails.
  if (effect >= Rank.unknown && (isPiped || !draft.isEmitting)) draft.isCompound = true;
  // `make` builds, which is a change, but `make check` only tells.
  if ((effect === Rank.unknown || BUILDER.test(program)) && isTestRun(words, from)) {
    draft.isMeasuring = true;
    effect = Rank.unknown;
  }
  draft.effect = Math.max(draft.effect, effect);
  if (OUTSIDE.has(program) || (program === "git" && GIT_OUTSIDE.test(words[operandAfter(words, from)] ?? "")))
    draft.isOutside = true;
  if (MEASURING.has(program) || words.some((word, index) => index > from && BENCHMARK.test(word)))
    draft.isMeasuring = true;
  if (program === "sleep") for (const duration of words.slice(from + 1)) draft.waitMs += durationMs(duration);
  const isViewer = VIEWER.test(program);
  const viewed = isViewer ? viewedFile(words, from, program) : undefined;
  const isView = isViewer && !isPiped && (words.length > from + 1 || redirections.includes("<"));
  const isWrite = WRITING.test(redirections) && (documents !== "" || effect === Rank.look);
  if (isView || isWrite || (effect === Rank.change && FILE_PROGRAM.test(program))) draft.isFileOperation = true;
  const path = viewed === "" ? INPUT_FILE.exec(redirections)?.[1] : viewed;
  if (isView && documents === "" && path !== undefined && (draft.directory !== undefined || path.startsWith("/")))
    draft.file = joinPath(draft.directory ?? "", path);
  // `nl f | sed -n 5,9p` still shows the file. After any other filter, something else is shown.
  if (isPiped && (program !== "sed" || viewed !== "")) draft.isDiverted = true;
  return undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_SLEEP_MS = 86_400_000;

/** Milliseconds that an argument of `sleep` asks for, at most a day; 0 if it is not a duration. */
function durationMs(duration: string): number {
  const count = Math.max(0, Number.parseFloat(duration) || 0);
  return Math.min(Math.round(count * (UNIT_MS[duration.slice(-1)] ?? 1_000)), LONGEST_SLEEP_MS);
}

/** Options of viewers that take the next word as their value. */
const VALUED_BY_VIEWER = /^(?:head|tail) -[nc]$|^bat(?:cat)? (?:-r|--line-range|--style)$/;
/** Options with which a viewer does more than show: `sed` edits, `tail` follows. */
const NOT_VIEWING = /^sed (?!-n$|-ne$|-e$|--quiet$|--silent$)|^tail (?:-\w*[fF]|--follow)/;
/** A `sed` script that only prints lines by their number. */
const LINE_WINDOW = /^[\d,$~+; pq]*$/;

/** The one file that a viewer such as `cat` shows; "" if it shows its input, undefined if it does anything else. */
function viewedFile(words: readonly string[], from: number, program: string): string | undefined {
  const operands: string[] = [];
  for (let index = from + 1; index < words.length; index++) {
    const word = words[index]!;
    const option = `${program} ${word}`;
    if (!/^[-+]./.test(word)) operands.push(word);
    else if (NOT_VIEWING.test(option)) return undefined;
    else if (VALUED_BY_VIEWER.test(option)) index++;
  }
  if (program === "sed") {
    const script = operands.shift();
    if (script === undefined || words[from + 1] === script || !LINE_WINDOW.test(script)) return undefined;
  }
  const [file = ""] = operands;
  // A pattern or a variable may stand for any file, or for several.
  if (operands.length > 1 || file.includes("\0")) return undefined;
  return file === "-" ? "" : file;
}

/** Joins a path to a folder, without the parts that make no difference: `./`, `//`, `a/../`. Follows no links. */
export function joinPath(directory: string, path: string): string {
  const whole = /^(?:\/|~(?:\/|$))/.test(path) || directory === "" ? path : `${directory}/${path}`;
  if (whole !== "" && !/^\.|\/\.|\/\/|\/$/.test(whole)) return whole;
  const isRooted = whole.startsWith("/");
  const kept: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && !/^(?:\.\.|~)$/.test(kept.at(-1)!)) kept.pop();
    else if (!isRooted) kept.push(segment);
  }
  const joined = kept.join("/");
  return isRooted ? `/${joined}` : joined || ".";
}
