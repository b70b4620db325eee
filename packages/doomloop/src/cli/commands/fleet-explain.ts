import { text } from "node:stream/consumers";
import type { CallEvent } from "../../core/event.ts";
import { fleetCallOf } from "../../fleet/call-fingerprint.ts";
import { type FleetAddress, type FleetStore, openStore, readKey } from "../../fleet/inspect/open-store.ts";
import { readCounts, readSettingsText } from "../../fleet/inspect/read-fleet.ts";
import { createNameOf } from "../../fleet/process/fleet-names.ts";
import { keyMark, readSettings } from "../../fleet/process/fleet-settings.ts";
import { listIn, textIn } from "../../fleet/redis/redis-commands.ts";
import { platform } from "../../platform.ts";
import { UsageError } from "../../system/usage-error.ts";
import { type FleetAnswer, fleetAnswer } from "../reporters/fleet-lines.ts";
import type { CommandStreams } from "../terminal/output.ts";

export interface FleetExplainOptions extends FleetAddress {
  readonly keyFile?: string;
  readonly world?: string;
}

const STANDARD_INPUT = "-";

/** Says whether a call is a dead end of a fleet. The call itself is not sent, only its name. Returns the exit code. */
export async function fleetExplain(
  given: string,
  { keyFile, world, ...address }: FleetExplainOptions,
  { input, output, messages }: CommandStreams,
): Promise<number> {
  if (keyFile === undefined) throw new UsageError("--key-file: a file with the key of the workers is required");
  if (given === STANDARD_INPUT && input.isTTY === true) messages.write("Reading a call from the terminal.\n");
  const call = readCall(given === STANDARD_INPUT ? await text(input) : given);
  const known = fleetCallOf(call, platform, world);
  if (known === undefined) throw new UsageError("CALL: it is too large; a fleet does not share such calls");
  const key = readKey(keyFile);
  const store = await openStore(address);
  try {
    const answer = await ask(store, createNameOf(key, store.tenant)(known.fingerprint), keyMark(key));
    const scope = world !== undefined && known.scope === "own" ? "world" : known.scope;
    await output.write(`${fleetAnswer({ ...answer, scope }).join("\n")}\n`);
  } finally {
    store.close();
  }
  return 0;
}

async function ask(store: FleetStore, name: string, mark: string): Promise<Omit<FleetAnswer, "scope">> {
  const [[values, settingsText], counts] = await Promise.all([
    store.ask([["MGET", store.keys.switch], readSettingsText(store)]),
    readCounts(store, name),
  ]).catch((fault: Error) => {
    throw new UsageError(`cannot read the store: ${fault.message}`, { cause: fault });
  });
  const [switched] = listIn(values).map(textIn);
  const settings = readSettings(textIn(settingsText));
  const isKeyTheirs = settings && settings.keyMark === mark;
  // With another key, every call has another name, so an empty result means nothing.
  if (isKeyTheirs === false && counts.calls === 0) {
    const marks = `its fingerprint is ${mark}, theirs is ${settings?.keyMark}`;
    throw new UsageError(`--key-file: the fleet's workers have a different key: ${marks}`);
  }
  return { ...counts, name, settings, isKeyTheirs, switch: switched };
}

/** Reads a call event. Ignores other fields. */
function readCall(given: string): CallEvent {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    // Reported below, without the input.
  }
  const { tool, args, readOnly } = (value ?? {}) as { tool?: unknown; args?: unknown; readOnly?: unknown };
  if (typeof tool === "string" && tool !== "") {
    return { type: "call", tool, args, ...(typeof readOnly === "boolean" && { readOnly }) };
  }
  throw new UsageError('CALL: JSON such as {"tool":"fetch","args":{"url":"https://docs.example"}} is required');
}
