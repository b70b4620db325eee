import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { generateHome } from "./generate-home.ts";

const packageFolder = resolve(import.meta.dirname, "../../packages/doomloop");

/** Makes a program take its pipes for a terminal of 120 columns and 50 rows, on every system. */
const TERMINAL = `data:text/javascript,${encodeURIComponent(
  "for (const stream of [process.stdout, process.stderr]) Object.assign(stream, { isTTY: true, columns: 120, rows: 50 });",
)}`;

/** How long somebody waits who types `doomloop`. */
export interface FirstScreen {
  /** Until figures of some sessions stand on the terminal. */
  readonly firstSeconds: number;
  readonly wholeSeconds: number;
}

/** Starts the command once, on a terminal. */
export type ShowScreen = () => Promise<FirstScreen>;

/**
 * Packs and installs the package as a user does, and fills a home folder with the sessions of eight agents. Each start scans anew.
 */
export function prepareFirstScreen(folder: string, bytes: number): ShowScreen {
  const project = join(folder, "project");
  const home = join(folder, "home");
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const run = (args: readonly string[], cwd: string): string => execFileSync("npm", args, { cwd, encoding: "utf8" });
  const packed = JSON.parse(run(["pack", "--json", "--pack-destination", folder], packageFolder)) as object;
  const [{ filename }] = Object.values(packed) as [{ filename: string }];
  run(["install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, filename)], project);
  generateHome(home, bytes);
  const program = join(project, "node_modules/doomloop/dist/cli/main.js");
  return () => showScreen(program, home);
}

function showScreen(program: string, home: string): Promise<FirstScreen> {
  const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm" };
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", TERMINAL, program, "--no-cache"], { env, stdio: "pipe" });
  let shown = "";
  let firstSeconds = Number.POSITIVE_INFINITY;
  const take = (piece: string): void => {
    shown += piece;
    // The final summary may come before any other: that is a first screen too.
    if (firstSeconds === Number.POSITIVE_INFINITY && /\d sessions?/.test(shown)) firstSeconds = secondsSince(start);
  };
  child.stdin.end();
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done({ firstSeconds, wholeSeconds: secondsSince(start) });
      else fail(new Error(`the scan ended with ${code}: ${shown.slice(0, 500)}`));
    });
  });
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
