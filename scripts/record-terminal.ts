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
const root = resolve(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "doomloop-record-"));
try {
  const program = `${process.execPath} ${join(root, "packages/doomloop/dist/cli/main.js")}`;
  const output = execFileSync("script", ["-qec", `stty cols ${COLUMNS}; ${program} scan --sample`, "/dev/null"], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", npm_command: "exec" },
  });
  const shown = output.replaceAll("\r", "");
  writeFileSync(join(root, "docs/pictures/terminal.svg"), drawTerminal("npx doomloop scan --sample", shown, COLUMNS));
} finally {
  rmSync(home, { recursive: true, force: true });
}
