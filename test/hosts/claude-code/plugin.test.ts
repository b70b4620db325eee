import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pluginContract } from "../shared/coding-agents/plugin-contract.ts";
import { claudeCode } from "./claude-code.ts";

const program = join(import.meta.dirname, "node_modules/.bin/claude");

pluginContract(
  {
    agent: claudeCode(),
    install: (source) => [
      ["marketplace", "add", source],
      ["install", "doomloop@doomloop"],
    ],
    remove: [
      ["uninstall", "doomloop@doomloop"],
      ["marketplace", "remove", "doomloop"],
    ],
    // It marks its copy of the plugin as unused, and removes it some days later.
    lists: ["settings.json", "plugins/installed_plugins.json", "plugins/known_marketplaces.json"].map(
      (file) => `.claude/${file}`,
    ),
  },
  (clone) => {
    it("is what Claude Code takes for a plugin and a marketplace, without a warning", () => {
      const env = { PATH: process.env.PATH, HOME: clone(), CLAUDE_CONFIG_DIR: join(clone(), "../config") };
      for (const path of [clone(), join(clone(), ".claude-plugin/plugin.json"), join(clone(), "skills")]) {
        const said = execFileSync(program, ["plugin", "validate", "--strict", path], { env, encoding: "utf8" });
        expect(said).toContain("Validation passed");
      }
    });
  },
);
