import type { Client } from "@modelcontextprotocol/client";

declare const fileClient: Client;
declare const webClient: Client;
declare const text: string;

// #region own-guard
import { createGuard } from "doomloop";
import { guardClient } from "doomloop/mcp";

const guard = createGuard();
const files = guardClient(fileClient, { guard });
const web = guardClient(webClient, { guard });

guard.observe({ type: "user" }); //  the user said something: that ends a loop
guard.observe({ type: "round" }); // a model answer begins: report each one, or none
guard.observe({ type: "text", text, partial: true }); // what it says besides its calls

// #endregion own-guard

export { files, web };
