import type { Client } from "@modelcontextprotocol/client";
import { createGuard } from "doomloop";
import { guard } from "doomloop/mcp";

declare const fileClient: Client;
declare const webClient: Client;
declare const text: string;

// #region own-guard
const shared = createGuard();
const files = guard(fileClient, { guard: shared });
const web = guard(webClient, { guard: shared });

shared.observe({ type: "user" }); //  the user said something: that ends a loop
shared.observe({ type: "round" }); // a model answer begins: report each one, or none
shared.observe({ type: "text", text, partial: true }); // what it says besides its calls

// #endregion own-guard

export { files, web };
