import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What somebody has in their settings. Claude Code takes no comments, Gemini CLI does. */
const SETTINGS = {
  ".claude/settings.json": '{\n  "model": "opus"\n}\n',
  ".gemini/settings.json": '{\n  // mine\n  "theme": "dark"\n}\n',
};
const FOLDERS = [".claude", ".codex", ".gemini", ".qwen", ".copilot", ".cline", ".config/opencode"];

/** Throws if the installed package does not guard coding agents in a home of their own, or does not leave that home as it was. */
export function checkHooks(project: string, home: string): void {
  for (const folder of FOLDERS) mkdirSync(join(home, folder), { recursive: true });
  for (const [file, text] of Object.entries(SETTINGS)) writeFileSync(join(home, file), text);
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
  for (const [file, text] of Object.entries(SETTINGS))
    if (readFileSync(join(home, file), "utf8") !== text) throw new Error(`uninstall does not give ${file} back`);
  if (existsSync(join(home, ".codex/hooks.json"))) throw new Error("uninstall leaves a file that init made");
}
