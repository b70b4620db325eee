import type { AgentEvent } from "../../packages/doomloop/src/index.ts";

const WORDS = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jasper", "kelp"];
const TRADES = ["roofer", "baker", "surveyor", "tailor", "miller", "pilot", "glazier"];
const NAMES = ["Ann", "Bob", "Carl", "Dora", "Emil"];
const READ_MS = 400;

/** A look at something that has nothing to do with the rest, and that nobody has seen before. */
export function freshRead(number: number, at: number | undefined): AgentEvent[] {
  const id = `look-${number}`;
  const one = (words: readonly string[], salt: number): string => words[(number * 7 + salt) % words.length]!;
  const output = `Page ${number + 1}: the ${one(TRADES, 3)} ${one(NAMES, 1)} leaves ${number + 4} boxes of ${one(WORDS, 0)} and ${one(WORDS, 5)} at gate ${number + 2}.`;
  const time = (laterMs: number): { at?: number } => (at === undefined ? {} : { at: at + laterMs });
  return [
    { type: "round" },
    { type: "call", id, tool: "read_notes", args: { page: number + 1 }, ...time(0) },
    { type: "result", id, output, ...time(READ_MS) },
  ];
}

/** A made-up word for each number. */
export function freshWord(number: number): string {
  return `${WORDS[number % WORDS.length]}${number < WORDS.length ? "" : WORDS[Math.floor(number / WORDS.length) % WORDS.length]}`;
}
