import type { Client } from "@modelcontextprotocol/client";

declare const client: Client;
declare const name: string;
declare const input: Record<string, unknown>;

// #region guard
import { guard, loopStop } from "doomloop/mcp";

const guarded = guard(client);
const result = await guarded.callTool({ name, arguments: input });

const stop = loopStop(result);
if (stop) throw new Error(stop.explanation); // end the run in your own way
// #endregion guard
