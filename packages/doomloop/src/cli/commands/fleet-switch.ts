import type { FleetMode } from "../../core/fleet-member.ts";
import { type FleetAddress, openStore } from "../../fleet/inspect/open-store.ts";
import { textIn } from "../../fleet/redis/replies.ts";
import { readSettingsText } from "../../fleet/redis/settings-text.ts";
import { UsageError } from "../../system/usage-error.ts";
import { switchInWords } from "../reporters/fleet-summary.ts";
import type { CommandStreams } from "./command-streams.ts";

/** Switches a whole fleet. Returns the exit code. */
export async function fleetSwitch(
  mode: FleetMode,
  address: FleetAddress,
  { messages }: CommandStreams,
): Promise<number> {
  const { tenant, keys, ask, close } = await openStore(address);
  try {
    const [before, , agreed] = await ask([["GET", keys.switch], ["SET", keys.switch, mode], readSettingsText(keys)]);
    messages.write(`The switch of ${tenant} is ${mode} now. It was ${switchInWords(textIn(before))}.\n`);
    if (!textIn(agreed)) messages.write("No worker of that name has been here: check --tenant and --url.\n");
  } catch (fault) {
    throw new UsageError(`cannot switch: ${(fault as Error).message}`, { cause: fault });
  } finally {
    close();
  }
  return 0;
}
