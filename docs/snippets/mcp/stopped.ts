import type { Client } from "@modelcontextprotocol/client";
import { guardClient } from "doomloop/mcp";

declare const client: Client;
declare function endOfRun(): never;

export async function call(name: string, input: Record<string, unknown>) {
  const guarded = guardClient(client);
  // #region meta
  const result = await guarded.callTool({ name, arguments: input });
  if (result._meta?.["doomloop/decision"] === "stop") return endOfRun();
  // #endregion meta
  return result;
}

// #region value
import { type LoopStop, loopStop } from "doomloop";

let stop: LoopStop | undefined;
const guarded = guardClient(client, {
  onDowngrade({ decision }) {
    stop ??= loopStop(decision);
  },
});

// #endregion value

export { guarded, stop };
