import type { FleetMode } from "../../core/fleet-view.ts";
import { type FleetAddress, type FleetStore, openStore } from "../../fleet/inspect/open-store.ts";
import { readSettingsText } from "../../fleet/inspect/read-fleet.ts";
import type { Command } from "../../fleet/redis/redis-commands.ts";
import { textIn } from "../../fleet/redis/redis-commands.ts";
import { UsageError } from "../../system/usage-error.ts";
import { switchInWords } from "../reporters/fleet-lines.ts";
import type { CommandStreams } from "../terminal/output.ts";

const MODES = ["on", "shadow", "off"] as const satisfies readonly FleetMode[];

const NO_RESERVE =
  "cannot switch: the server is out of memory, and this mode is not in the reserve. Free memory or raise maxmemory, and try again";

/** Switches a whole fleet. Returns the exit code. */
export async function fleetSwitch(
  mode: FleetMode,
  address: FleetAddress,
  { messages }: CommandStreams,
): Promise<number> {
  const store = await openStore(address);
  const { tenant, keys, ask, close } = store;
  try {
    const [before, agreed] = await ask([["GET", keys.switch], readSettingsText(store)]);
    const isFromReserve = await setSwitch(store, mode);
    messages.write(`The switch of ${tenant} is ${mode} now. It was ${switchInWords(textIn(before))}.\n`);
    if (isFromReserve)
      messages.write("The server is out of memory: run this again once there is some, to renew the reserve.\n");
    if (!textIn(agreed)) messages.write("No worker has connected for this tenant yet: check --tenant and --url.\n");
  } catch (fault) {
    if (fault instanceof UsageError) throw fault;
    throw new UsageError(`cannot switch: ${(fault as Error).message}`, { cause: fault });
  } finally {
    close();
  }
  return 0;
}

/**
 * Sets the switch, and keeps each mode in reserve under a name of its own. A server without memory refuses to write, but not to rename what is
 * there. Returns whether the reserve was needed.
 */
async function setSwitch({ keys, ask }: FleetStore, mode: FleetMode): Promise<boolean> {
  const reserve = MODES.map((each): Command => ["SET", keys.spareSwitch(each), each]);
  try {
    await ask([["SET", keys.switch, mode], ...reserve]);
    return false;
  } catch (fault) {
    if (!isOutOfMemory(fault)) throw fault;
  }
  try {
    await ask([["RENAME", keys.spareSwitch(mode), keys.switch]]);
    return true;
  } catch (fault) {
    throw new UsageError(NO_RESERVE, { cause: fault });
  }
}

function isOutOfMemory(fault: unknown): boolean {
  return fault instanceof Error && fault.message.startsWith("OOM");
}
