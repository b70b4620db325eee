import type { Digest } from "../identity/digest.ts";
import { fingerprintOf, type IdentityRules, partOf, placeOf } from "../identity/fingerprint.ts";
import type { Platform } from "../identity/platform.ts";
import type { Reading } from "../reading.ts";
import { editPair } from "./edit-pair.ts";
import { readCall, shellCommand } from "./read-call.ts";

/** What is read from a call's arguments besides its identity. */
export interface CallFacts {
  readonly reading: Reading;
  /** Identity of the call in substance, where that says more than the exact one. */
  readonly like: Digest | undefined;
  /** The same, but reads of different parts of one file are different: for where nobody sees what they show. */
  readonly blindLike: Digest | undefined;
  /** What an edit shares with its own reverse. */
  readonly edit: Digest | undefined;
}

/** A call's facts; of a command line, whose reading costs as much as all else about a step, the text to read them from. */
export interface LazyFacts {
  readonly isCommand: boolean;
  /** Without this a call cannot ask for time; with it, it may. */
  readonly mayWait: boolean;
  /** The host's own word on whether the call changes anything. */
  readonly changes: boolean | undefined;
  command: string | undefined;
  /** Where a command runs, if its call says so. */
  readonly place: string | undefined;
  known: CallFacts | undefined;
}

/** A call whose facts are read. */
interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly changes: boolean | undefined;
}

/** Programs that last until something happens say so with one of these. */
const MAY_WAIT = /sleep|wait|watch|rollout|follow| -f/;
/** A command longer than this is read at once, so that its text is not kept. */
const LONG_COMMAND = 4096;

/** Reads a call, except for command lines: those are read by {@link factsOf}. */
export function readLazily(call: Call, identity: IdentityRules, platform: Platform): LazyFacts {
  const { changes } = call;
  const command = identity.declared === undefined ? shellCommand(call.tool, call.args) : undefined;
  if (command === undefined) {
    const known = readFacts(call, identity, undefined, platform);
    return { isCommand: false, mayWait: known.reading.act === "waits", changes, command, place: undefined, known };
  }
  const mayWait = MAY_WAIT.test(command) || command.length === 0;
  const place = placeOf(call.args, platform);
  const facts: LazyFacts = { isCommand: true, mayWait, changes, command, place, known: undefined };
  if (command.length > LONG_COMMAND) factsOf({ facts });
  return facts;
}

/** The facts of a call. A command is read when this is asked first, and its text let go of. */
export function factsOf({ facts }: { readonly facts: LazyFacts }): CallFacts {
  if (facts.known === undefined) {
    const { changes, command, place } = facts;
    facts.command = undefined;
    facts.known = readFacts({ tool: "shell", args: { command }, changes }, NO_RULES, place, PLAIN_DATA);
  }
  return facts.known;
}

const NO_RULES: IdentityRules = { declared: undefined, isPrimary: false };
/** Our own objects are no proxies. */
const PLAIN_DATA: Platform = { isProxy: () => false };

function readFacts(
  { tool, args, changes }: Call,
  identity: IdentityRules,
  place: string | undefined,
  platform: Platform,
): CallFacts {
  const { reading, file, substance } = readCall(tool, args, changes);
  const like = fingerprintOf({ tool, args, reading, file, substance, place }, identity, platform);
  const edit = reading.act === "writes" || reading.act === "steps" ? editPair(args) : undefined;
  // Another element of a page is another thing where nobody sees what came of it, and so is another part of a file.
  if (like === undefined || reading.isPage) return { reading, like, blindLike: undefined, edit };
  return { reading, like, blindLike: file === undefined ? like : partOf(like, args, platform), edit };
}
