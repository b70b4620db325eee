import type { Client } from "@modelcontextprotocol/client";

declare const client: Client;
declare const name: string;
declare const input: Record<string, unknown>;

// #region one-line
import { guardClient } from "doomloop/mcp";

const guarded = guardClient(client);
const result = await guarded.callTool({ name, arguments: input });
// #endregion one-line

console.log(result);
