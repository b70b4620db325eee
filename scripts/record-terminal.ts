import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { drawTerminal } from "./pictures/draw-terminal.ts";

/**
 * Runs `doomloop scan --sample` in a terminal of 84 columns, and draws what it shows for the home page. It is a recording: days pass in
 * it, so nothing checks it. Needs `script` of util-linux, and a build.
 */
const COLUMNS = 84;
const CLEARED = "\u001b[2K";
const root = resolve(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "doomloop-record-"));
try {
  const program = `${process.execPath} ${join(root, "packages/doomloop/dist/cli/main.js")}`;
  const output = execFileSync("script", ["-qec", `stty cols ${COLUMNS}; ${program} scan --sample`, "/dev/null"], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", npm_command: "exec" },
  });
  // A line that was cleared and written again shows what came last.
  const shown = output
    .replaceAll("\r", "")
    .split("\n")
    .map((line) => line.split(CLEARED).at(-1)!)
    .join("\n");
  writeFileSync(join(root, "docs/pictures/terminal.svg"), drawTerminal("npx doomloop scan --sample", shown, COLUMNS));
} finally {
  rmSync(home, { recursive: true, force: true });
}
