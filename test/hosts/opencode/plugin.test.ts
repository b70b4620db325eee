import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { bundleOpencode } from "../../../scripts/package/bundle-opencode.ts";
import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { opencode } from "./opencode.ts";

const folder = mkdtempSync(join(tmpdir(), "doomloop-opencode-"));
const plugin = join(folder, "plugin.js");
await bundleOpencode(plugin);
afterAll(() => rmSync(folder, { recursive: true }));

describeCodingAgent(opencode(plugin));
