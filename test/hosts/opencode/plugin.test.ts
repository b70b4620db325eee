import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { bundlePlugin } from "./bundle-plugin.ts";
import { opencode } from "./opencode.ts";

const folder = mkdtempSync(join(tmpdir(), "doomloop-opencode-"));
const plugin = join(folder, "plugin.js");
await bundlePlugin(plugin);
afterAll(() => rmSync(folder, { recursive: true }));

describeCodingAgent(opencode(plugin));
