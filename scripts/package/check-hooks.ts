import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SETTINGS = '{\n  // mine\n  "model": "opus"\n}\n';
const FOLDERS = [".claude", ".codex", ".gemini", ".qwen", ".copilot", ".cline", ".config/opencode"];

/** Throws if the installed package does not guard coding agents in a home of their own, or does not leave that home as it was. */
export function checkHooks(project: string, home: string): void {
  for (const folder of FOLDERS) mkdirSync(join(home, folder), { recursive: true });
  const settings = join(home, ".claude/settings.json");
  writeFileSync(settings, SETTINGS);
  const doomloop = (...words: string[]): string =>
    execFileSync(process.execPath, [join(project, "node_modules/doomloop/dist/cli/main.js"), ...words], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  doomloop("init", ...(process.platform === "win32" ? ["claude-code", "codex"] : []), "--unattended", "--yes");
  const report = doomloop("doctor");
  if (!/block +at call/.test(report) || report.includes("fault")) throw new Error(`hooks do not work:\n${report}`);
  console.log(`     ${/time +([^\n]*)/.exec(report)?.[1]}`);
  doomloop("uninstall", "--yes");
  if (readFileSync(settings, "utf8") !== SETTINGS) throw new Error("uninstall does not give the settings back");
  if (existsSync(join(home, ".codex/hooks.json"))) throw new Error("uninstall leaves a file that init made");
}
