import type { Digest } from "../identity/digest.ts";
import { fingerprintOf, type IdentityRules, partOf, placeOf } from "../identity/fingerprint.ts";
import type { Platform } from "../identity/platform.ts";
import type { Reading } from "../reading.ts";
import { editPair } from "./edit-pair.ts";
import { readCall, shellCommand } from "./read-call.ts";

/** What is read from a call's arguments besides its identity. */
export interface CallFacts {
  /** The call is a command line. */
  readonly isCommand: boolean;
  /** Whether the call changes anything, where the host says so. */
  readonly changes: boolean | undefined;
  readonly reading: Reading;
  /** Identity of the call in substance, where that says more than the exact one. */
  readonly like: Digest | undefined;
  /** The same, but reads of different parts of one file are different: for where nobody sees what they show. */
  readonly blindLike: Digest | undefined;
  /** What an edit shares with its own reverse. */
  readonly edit: Digest | undefined;
}

/** A call whose facts are read. */
interface Call {
  readonly tool: string;
  readonly args: unknown;
  readonly changes: boolean | undefined;
}

const NO_RULES: IdentityRules = { declared: undefined, isPrimary: false };
/** Our own objects are no proxies. */
const PLAIN_DATA: Platform = { isProxy: () => false };

/** Reads a call. A command is read by its text alone, whatever the tool and its field are called. */
export function readFacts(call: Call, identity: IdentityRules, platform: Platform): CallFacts {
  const command = identity.declared === undefined ? shellCommand(call.tool, call.args) : undefined;
  if (command === undefined) return { isCommand: false, ...read(call, identity, undefined, platform) };
  const place = placeOf(call.args, platform);
  return { isCommand: true, ...read({ ...call, tool: "shell", args: { command } }, NO_RULES, place, PLAIN_DATA) };
}

function read(
  { tool, args, changes }: Call,
  identity: IdentityRules,
  place: string | undefined,
  platform: Platform,
): Omit<CallFacts, "isCommand"> {
  const { reading, file, substance } = readCall(tool, args, changes);
  const like = fingerprintOf({ tool, args, reading, file, substance, place }, identity, platform);
  const edit = reading.act === "writes" || reading.act === "steps" ? editPair(args) : undefined;
  // Another element of a page is another thing where nobody sees what came of it, and so is another part of a file.
  if (like === undefined || reading.isPage) return { changes, reading, like, blindLike: undefined, edit };
  return { changes, reading, like, blindLike: file === undefined ? like : partOf(like, args, platform), edit };
}
