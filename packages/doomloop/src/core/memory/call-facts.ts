import type { Platform } from "../identity/canonical.ts";
import type { Digest } from "../identity/digest.ts";
import { fingerprintOf, partOf } from "../identity/fingerprint.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { editPair } from "../progress/edit-pair.ts";
import { type CallReading, type Effect, type EffectKind, readCall, shellCommand } from "../progress/read-call.ts";

/** What is read from a call's arguments besides its identity. Holds none of their text once it is settled. */
export interface CallFacts {
  readonly effect: Effect;
  /** Identity of the call in substance, where that says more than the exact one. */
  readonly like: Digest | undefined;
  /** The same, but reads of different parts of one file are different: for where nobody sees what they show. */
  readonly blindLike: Digest | undefined;
  /** What an edit shares with its own reverse. */
  readonly edit: Digest | undefined;
  /** Without this a command cannot be a run of tests; with it, it may. */
  readonly mayTest: boolean;
  /** Without this a call cannot ask for time; with it, it may. */
  readonly mayWait: boolean;
  /** A command line: reading it costs as much as everything else about the step. */
  readonly isCommand: boolean;
}

/** Reads a call, except for command lines: those are read when somebody asks, from the command's text alone. */
export function factsOf(
  tool: string,
  args: unknown,
  isReadOnly: boolean | undefined,
  rule: ToolRule,
  platform: Platform,
): CallFacts {
  const command = rule.identity === undefined ? shellCommand(tool, args) : undefined;
  if (command === undefined) return readFacts(tool, args, isReadOnly, rule, platform);
  const facts = new CommandFacts(command, (text) => readFacts(tool, { command: text }, isReadOnly, rule, platform));
  if (command.length > LONG_COMMAND) facts.settle();
  return facts;
}

/** Facts of a call whose arguments cannot be read. */
export function factsOfOpaque(tool: string, isReadOnly: boolean | undefined, rule: ToolRule): CallFacts {
  const { effect } = readCall(tool, undefined, isReadOnly);
  return factsWith(withRule(effect, rule), undefined, undefined, undefined);
}

/** The facts as they are saved: effect, time asked for, what they may be, identities. */
export type SavedFacts = readonly [EffectKind, number, number, Digest | null, Digest | null, Digest | null];

/** Each has a bit of its own: a saved run is read by the versions to come. */
const FLAGS = { isCompound: 1, isTest: 2, isShell: 4, isFileOperation: 8, isMoving: 128, isFileRead: 256 } as const;

/** Reads the facts, where that is still to be done, and writes them down without the text they came from. */
export function saveFacts({ effect, like, blindLike, edit, mayTest, mayWait, isCommand }: CallFacts): SavedFacts {
  let flags = (mayTest ? 16 : 0) | (mayWait ? 32 : 0) | (isCommand ? 64 : 0);
  for (const [flag, bit] of Object.entries(FLAGS)) if (effect[flag as keyof typeof FLAGS]) flags |= bit;
  return [effect.kind, flags, effect.waitMs, like ?? null, blindLike === like ? null : (blindLike ?? ""), edit ?? null];
}

export function restoreFacts([kind, flags, waitMs, like, blindLike, edit]: SavedFacts): CallFacts {
  return {
    effect: {
      kind,
      isCompound: (flags & FLAGS.isCompound) !== 0,
      isTest: (flags & FLAGS.isTest) !== 0,
      isShell: (flags & FLAGS.isShell) !== 0,
      isFileOperation: (flags & FLAGS.isFileOperation) !== 0,
      isFileRead: (flags & FLAGS.isFileRead) !== 0,
      isMoving: (flags & FLAGS.isMoving) !== 0,
      waitMs,
    },
    like: like ?? undefined,
    blindLike: (blindLike ?? like) || undefined,
    edit: edit ?? undefined,
    mayTest: (flags & 16) !== 0,
    mayWait: (flags & 32) !== 0,
    isCommand: (flags & 64) !== 0,
  };
}

/** Programs that last until something happens say so with one of these. */
const WAIT_WORDS = ["sleep", "wait", "watch", "rollout", "follow", " -f"];
/** A command longer than this is read at once, so that its text is not kept. */
const LONG_COMMAND = 4096;
const TEST_WORDS = ["test", "spec", "unit", "check", "tox", "mocha", "nose"];

/**
 * A command's facts, read once, when the first of them is asked for; its text is let go of then.
 *
 * A class, for once: one is made for every command, and only a class shares its getters among them.
 */
class CommandFacts implements CallFacts {
  readonly edit = undefined;
  readonly isCommand = true;
  readonly mayWait: boolean;
  #command: string;
  readonly #read: (command: string) => CallFacts;
  #facts: CallFacts | undefined;

  constructor(command: string, read: (command: string) => CallFacts) {
    this.mayWait = WAIT_WORDS.some((word) => command.includes(word));
    this.#command = command;
    this.#read = read;
  }

  get effect(): Effect {
    return this.settle().effect;
  }

  get like(): Digest | undefined {
    return this.settle().like;
  }

  get blindLike(): Digest | undefined {
    return this.settle().blindLike;
  }

  get mayTest(): boolean {
    return this.#facts?.effect.isTest ?? TEST_WORDS.some((word) => this.#command.includes(word));
  }

  settle(): CallFacts {
    if (this.#facts === undefined) {
      this.#facts = this.#read(this.#command);
      this.#command = "";
    }
    return this.#facts;
  }
}

function readFacts(
  tool: string,
  args: unknown,
  isReadOnly: boolean | undefined,
  rule: ToolRule,
  platform: Platform,
): CallFacts {
  const reading: CallReading = readCall(tool, args, isReadOnly);
  const effect = withRule(reading.effect, rule);
  const like = fingerprintOf(tool, args, reading, rule.identity, platform);
  const blindLike = blindLikeOf(like, reading, args, platform);
  return factsWith(effect, like, blindLike, effect.kind === "change" ? editPair(args) : undefined);
}

/** Another element of a page is another thing where nobody sees what came of it, and so is another part of a file. */
function blindLikeOf(
  like: Digest | undefined,
  { effect, file }: CallReading,
  args: unknown,
  platform: Platform,
): Digest | undefined {
  if (like === undefined || effect.kind === "page") return undefined;
  return file === undefined ? like : partOf(like, args, platform);
}

function factsWith(
  effect: Effect,
  like: Digest | undefined,
  blindLike: Digest | undefined,
  edit: Digest | undefined,
): CallFacts {
  return { effect, like, blindLike, edit, mayTest: effect.isTest, mayWait: effect.kind === "wait", isCommand: false };
}

function withRule(effect: Effect, rule: ToolRule): Effect {
  if (rule.changes === undefined) return effect;
  return { ...effect, kind: rule.changes ? "change" : "look" };
}
