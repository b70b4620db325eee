import { createGuard, type GuardOptions } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";
import { expect, it } from "vitest";
import type { GuardConfig } from "../../packages/doomloop/src/counting/configured-guard.ts";
import { call, result } from "../builders.ts";

/** Each way in which somebody can set an option of a guard. */
export type WayIn =
  | "createGuard"
  | "an adapter"
  | "a hook"
  | "a policy"
  | "the usual policy"
  | "a gateway"
  | "a client over HTTP"
  | "the Python client";

/** What came of a loop: all that the agent and the host were told, or the words with which the options were refused before it began. */
export type Played = { readonly told: string } | { readonly refused: string };

/** Plays a loop to a guard with these options. `name` is the one that it is about; undefined if it is about none. */
export type Play = (config: GuardConfig, loop: Loop, name: keyof GuardConfig | undefined) => Played | Promise<Played>;

/** The option is taken, so it changes what is decided there; or the words with which it is refused before a run begins. */
type Cell = "taken" | { readonly refused: string };

/** How often it is made: enough for every level. */
export const LAPS = 24;

/** One call that is made again and again, with its result. */
export interface Loop {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly output: string;
}

interface Row<Name extends keyof GuardConfig> {
  /** A value that changes what is decided about the loop. What is called says so to `hear`. */
  value(hear: (words: string) => void): NonNullable<GuardConfig[Name]>;
  /** Options that the run has with and without it. */
  readonly besides?: GuardOptions;
  readonly loop?: Loop;
  readonly cells: Readonly<Record<WayIn, Cell>>;
}

const LOOP: Loop = { tool: "read_file", args: { path: "notes.md" }, output: "nothing found" };
const WAITING: Loop = { tool: "check_job", args: { job: 7 }, output: "still running" };
const DEAD_END: Loop = { tool: "fetch_page", args: { url: "https://shop.example/gone" }, output: "404 Not Found" };
const OWN_WORDS = "[doomloop] Words of the host.";

/** An option that JSON can hold is taken everywhere, except that hooks read no file from where an agent works. */
const inJson = (name: string): Record<WayIn, Cell> => ({
  createGuard: "taken",
  "an adapter": "taken",
  "a hook": { refused: `Hooks ignore FILE: ${name}. Use doomloop mode, doomloop allow and doomloop init for hooks.` },
  "a policy": "taken",
  "the usual policy": "taken",
  "a gateway": "taken",
  "a client over HTTP": "taken",
  "the Python client": "taken",
});

const inCode = (name: string): Record<WayIn, Cell> => {
  const words = `${name}: only code can set it, not JSON`;
  const policy = { refused: `--policies: policies: team: ${words}` };
  return {
    createGuard: "taken",
    "an adapter": "taken",
    "a hook": { refused: `Hooks ignore FILE: ${words}.` },
    "a policy": policy,
    "the usual policy": policy,
    "a gateway": policy,
    "a client over HTTP": { refused: `options: ${words}` },
    "the Python client": { refused: `the service refused the options of this run (400: options: ${words})` },
  };
};

/** Every option of a guard and every way in. A new option does not compile until each of its cells is decided. */
const TABLE: { readonly [Name in keyof Required<GuardConfig>]: Row<Name> } = {
  preset: { value: () => "aggressive", cells: inJson("preset") },
  levels: { value: () => ({ told: 2, refused: 4, ended: 6 }), cells: inJson("levels") },
  ladder: { value: () => ["stop"], cells: inJson("ladder") },
  detectors: { value: () => ({ "repeated-call": { threshold: 6 } }), cells: inJson("detectors") },
  // `doomloop allow --tool`
  rules: { value: () => ({ [LOOP.tool]: { ignore: true } }), cells: { ...inJson("rules"), "a hook": "taken" } },
  patienceMs: { value: () => 0, loop: WAITING, cells: inJson("patienceMs") },
  // `doomloop mode`
  attended: { value: () => true, cells: { ...inJson("attended"), "a hook": "taken" } },
  counts: {
    value: () => ({ repeats: 2 }),
    cells: {
      ...inJson("counts"),
      createGuard: { refused: "counts: createCountingGuard of doomloop/counting is required, got an object" },
      "an adapter": { refused: "counts: createCountingGuard of doomloop/counting is required, got an object" },
    },
  },
  questions: {
    value: () => 1,
    cells: {
      ...inJson("questions"),
      "an adapter": { refused: "questions: secondOpinion is required with it, because nobody answers here" },
    },
  },
  messages: { value: () => ({ nudge: () => OWN_WORDS }), cells: inCode("messages") },
  onDecision: { value: () => () => ({ action: "stop" }), cells: inCode("onDecision") },
  onFault: {
    value: (hear) => () => hear("a fault"),
    besides: {
      onDecision() {
        throw new Error("the host's own fault");
      },
    },
    cells: inCode("onFault"),
  },
  fleet: { value: memberThatKnows, loop: DEAD_END, cells: inCode("fleet") },
  // The run has made a call that must not be made twice.
  snapshot: {
    value: snapshotOfCall,
    besides: { rules: { [LOOP.tool]: { repeat: "never" } } },
    cells: inCode("snapshot"),
  },
};

/** What every option does in one way in: nothing is ignored, and nothing is refused without a word. */
export function everyOption(way: WayIn, play: Play, isMissing: boolean = false): void {
  const usual = new Map<Loop, Played | Promise<Played>>();
  const usualOf = (loop: Loop): Played | Promise<Played> => {
    const played = usual.get(loop) ?? play({}, loop, undefined);
    usual.set(loop, played);
    return played;
  };

  for (const name of Object.keys(TABLE) as (keyof GuardConfig)[]) {
    const { cells, loop = LOOP, besides, value } = TABLE[name];
    const cell = cells[way];
    it.skipIf(isMissing)(`${cell === "taken" ? "takes" : "refuses"} the option ${name}`, async () => {
      const heard: string[] = [];
      const option = { [name]: value((words) => void heard.push(words)) };
      if (cell !== "taken") {
        expect(await play(option, loop, name)).toEqual({ refused: expect.stringContaining(cell.refused) });
        return;
      }
      const played = await play({ ...besides, ...option }, loop, name);
      const without = await (besides === undefined
        ? usualOf(loop)
        : play({ onFault() {}, ...besides }, loop, undefined));
      expect([played, without]).toEqual([{ told: expect.any(String) }, { told: expect.any(String) }]);
      expect({ ...played, heard }).not.toEqual({ ...without, heard: [] });
    });
  }
}

function memberThatKnows(): NonNullable<GuardOptions["fleet"]> {
  const fleet = createMemoryFleet();
  for (let at = 0; at < 12; at++) {
    const guard = createGuard({ fleet: fleet.join({ worker: `worker ${at}` }) });
    guard.observe(call(DEAD_END.tool, DEAD_END.args));
    guard.observe(result(DEAD_END.output, { error: true }));
  }
  return fleet.join({ worker: "the one that is watched" });
}

function snapshotOfCall(): NonNullable<GuardOptions["snapshot"]> {
  const guard = createGuard({ rules: { [LOOP.tool]: { repeat: "never" } } });
  guard.observe(call(LOOP.tool, LOOP.args));
  guard.observe(result(LOOP.output));
  return guard.snapshot();
}
