import { baseName } from "./base-name.ts";
import { type Draft, emit, PIPE } from "./draft.ts";
import { isTestRun } from "./is-test-run.ts";
import { joinPath } from "./join-path.ts";
import { operandAfter, programEffect } from "./program-effect.ts";
import { MEASURING, OUTSIDE, Rank } from "./programs.ts";
import type { Command } from "./tokenize.ts";
import { isAssignment, unwrap } from "./unwrap.ts";
import { viewedFile } from "./viewed-file.ts";

const SHELL = /^(?:ba|z|da|a|k)?sh$/;
const SCRIPT_OPTION = /^-[a-z]*c$/;
const BUILDER = /^(?:g?make|ninja)$/;
const VIEWER = /^(?:cat|head|tail|sed|nl|less|more|bat|batcat)$/;
const FILE_PROGRAM = /^(?:mv|cp|rm|mkdir|rmdir|touch|ln|tee|truncate|unlink|rename|patch|dd|ed|ex|g?sed|perl)$/;
const GIT_OUTSIDE = /^(?:push|pull|fetch|clone|ls-remote)$/;
const BENCHMARK = /^(?:-{0,2}bench(?:mark)?s?)(?:$|[:=_.-])/;
/** Output to a file, not to another descriptor or a device. */
export const WRITING = /\0>\d*(?:&?>>?\|?(?!&|\/dev\/(?!shm\/))[^>|]|>&[^\d-])/;
const INPUT = /\0><([^\0]+)(?:\0>|$)/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 86_400_000;

/** Reads one simple command. The script of `bash -c '...'` is returned, to be read in its place. */
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
  // What a filter or a substitution did stays done when the rest fails.
  if (effect >= Rank.unknown && (isPiped || !draft.isEmitting)) draft.isCompound = true;
  // `make` builds and so changes, but `make check` tells.
  if ((effect === Rank.unknown || BUILDER.test(program)) && isTestRun(words, from)) {
    draft.isTest = true;
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
  const path = viewed === "" ? INPUT.exec(redirections)?.[1] : viewed;
  if (isView && documents === "" && path !== undefined && (draft.directory !== undefined || path.startsWith("/")))
    draft.file = joinPath(draft.directory ?? "", path);
  // `nl f | sed -n 5,9p` still shows the file; any other filter shows something else.
  if (isPiped && (program !== "sed" || viewed !== "")) draft.isDiverted = true;
  return undefined;
}

/** Milliseconds that an argument of `sleep` asks for, at most a day; 0 where it is no duration. */
function durationMs(duration: string): number {
  const count = Math.max(0, Number.parseFloat(duration) || 0);
  return Math.min(Math.round(count * (UNIT_MS[duration.slice(-1)] ?? 1_000)), LONGEST_MS);
}
