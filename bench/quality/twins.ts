import { readFileSync } from "node:fs";
import type { CreateGuard } from "./guard.ts";
import { randomFrom, seedOf } from "./numbers.ts";
import { toTable } from "./report.ts";
import { type Answers, type Script, tellRun } from "./steadiness.ts";

/** Equal calls in turn of which one counts · a failure that quotes what it was given · a new handle in each lap, and the same refusal. */
type LoopKind = "ring" | "quoted" | "handle" | "other";

/** A loop, or honest work that makes the same calls in turn and gets on. */
interface Twin extends Script {
  /** Undefined for honest work. */
  readonly kind: LoopKind | undefined;
  /** Calls of a lap. */
  readonly lap: number;
}

export interface ToldTwin extends Twin {
  readonly answers: Answers;
  readonly isToldInTime: boolean;
  readonly isEndedInTime: boolean;
}

/** A line of `twins.jsonl`. A call: tool, arguments, output, and how long the agent waits before it. An output that begins with `!` is a failure. */
interface WrittenTwin extends Partial<Pick<Twin, "kind" | "request">>, Pick<Twin, "name"> {
  readonly steps: readonly (readonly [tool: string, args: unknown, output: unknown, pauseMs?: number])[];
}

const CALLS = 100;
const TOLD_LAPS = 4;
/** Without laps: by this call. */
const TOLD_BY = 9;
const ENDED_BY = { calls: 60, laps: 2 };
const USUAL_REQUEST = "Please see to this.";

const WORDS = {
  word: "amber brass cold damp early faint green heavy inner jolly known loud mild narrow oval plain quiet round steep tidy upper vivid warm",
  noun: "anvil basin crane drill easel flute gauge hinge inlet joist kiln ladle mast nozzle organ pulley quilt rudder sieve trowel urn valve winch yoke zither bellow chisel dowel ferry",
  who: "Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jon Kim Lea Max Nils Olga Pia Quin Ruth Sven",
};
/** `$(a|b)`: one of them. `$lap`, `$3lap+12`, `$80-lap`: numbers. `$was`: the id of the lap before. `$rand` is drawn for its place, the others for the lap. */
const CHOICE = /\$\(([^()]*)\)/g;
const PLACE = /\$(?:(\d+)-lap|(\d*)lap(?:\+(\d+))?|(id|was|pin|rand|word|noun|who))/g;

/** What is written for every lap, as it is in one. */
function fill(written: unknown, lap: number, place: string): unknown {
  if (Array.isArray(written)) return written.map((each, at) => fill(each, lap, `${place} ${at}`));
  if (typeof written === "object" && written !== null)
    return Object.fromEntries(
      Object.entries(written).map(([key, value]) => [key, fill(value, lap, `${place} ${key}`)]),
    );
  if (typeof written !== "string") return written;
  const chosen = written.replace(CHOICE, (_, choices: string) => oneOf(choices.split("|"), `${choices} ${lap}`));
  const filled = chosen.replace(PLACE, (whole, from, times, plus, name, at) => {
    if (name !== undefined) return wordFor(name, lap, `${place} ${at}`);
    if (from !== undefined) return `${Number(from) - lap}`;
    return times === undefined ? whole : `${Number(times || 1) * lap + Number(plus ?? 0)}`;
  });
  return filled !== written && /^\d{1,7}$/.test(filled) ? Number(filled) : filled;
}

function wordFor(name: string, lap: number, place: string): string {
  const drawn = (seed: string, below: number): number => Math.floor(below * randomFrom(seedOf(seed))());
  if (name === "id" || name === "was")
    return drawn(`id ${lap - (name === "was" ? 1 : 0)}`, 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  if (name === "pin") return `${1_000 + drawn(`pin ${lap}`, 9_000)}`;
  if (name === "rand") return `${drawn(`${place} ${lap}`, 1_000)}`;
  const words = WORDS[name as keyof typeof WORDS].split(" ");
  // Their numbers have no common divisor, so no pair comes twice.
  return words[(7 * lap) % words.length]!;
}

function oneOf(choices: readonly string[], seed: string): string {
  return choices[Math.floor(choices.length * randomFrom(seedOf(seed))())]!;
}

/** Loops, each before its honest twins. Nobody who wrote them had seen how the guard finds loops. */
const twins: readonly Twin[] = readFileSync(new URL("./twins.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const { name, kind, request = USUAL_REQUEST, steps } = JSON.parse(line) as WrittenTwin;
    return {
      ...{ name, kind, request, calls: CALLS, lap: steps.length },
      step(number) {
        const [tool, args, output, pauseMs = 0] = steps[number % steps.length]!;
        const lap = 1 + Math.floor(number / steps.length);
        const told = fill(output, lap, tool);
        const isFailure = typeof told === "string" && told.startsWith("!");
        return {
          tool,
          args: fill(args, lap, `${tool} args`),
          output: isFailure ? told.slice(1) : told,
          isFailure,
          pauseMs,
        };
      },
    };
  });

/** By which call a loop is to be told, and ended. */
function limitsOf({ kind, lap }: Twin): Pick<Answers, "told" | "ended"> {
  const laps = TOLD_LAPS * lap;
  const told = kind === "quoted" ? TOLD_BY : kind === "other" ? Math.max(TOLD_BY, laps) : laps;
  return { told, ended: ENDED_BY.calls + ENDED_BY.laps * lap };
}

/** Has each go on for a hundred calls, whatever the agent is told. Honest work is answered in time if it is never answered. */
export function tellTwins(createGuard: CreateGuard): ToldTwin[] {
  return twins.map((twin) => {
    const answers = tellRun(createGuard, twin);
    const by = limitsOf(twin);
    const isInTime = (field: "told" | "ended"): boolean =>
      twin.kind === undefined ? answers[field] === Infinity : answers[field] <= by[field];
    return { ...twin, answers, isToldInTime: isInTime("told"), isEndedInTime: isInTime("ended") };
  });
}

export function twinsToMarkdown(all: readonly ToldTwin[]): string {
  const rows = all.map(({ kind, name, lap, answers, isToldInTime, isEndedInTime }) => {
    const calls = [answers.told, answers.refused, answers.ended].map((call) => (call === Infinity ? "-" : `${call}`));
    const isRight = isToldInTime && isEndedInTime;
    return [kind === undefined ? `  ${name}` : name, kind ?? "twin", `${lap}`, ...calls, isRight ? "yes" : "no"];
  });
  return toTable(["loop, or its twins", "", "lap", "told", "refused", "ended", "in time"], rows, 2);
}
