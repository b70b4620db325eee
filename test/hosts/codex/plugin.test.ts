import { pluginContract } from "../shared/coding-agents/plugin-contract.ts";
import { codex } from "./codex.ts";

pluginContract({
  agent: codex,
  install: (source) => [
    ["marketplace", "add", source],
    ["add", "doomloop@doomloop"],
  ],
  remove: [
    ["remove", "doomloop@doomloop"],
    ["marketplace", "remove", "doomloop"],
  ],
  lists: [".codex/config.toml"],
});
