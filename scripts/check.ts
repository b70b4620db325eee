import { spawn } from "node:child_process";
import { delimiter, resolve } from "node:path";

/** Runs every check side by side, prints what failed, and one line per check. */
const root = resolve(import.meta.dirname, "..");
const bin = resolve(root, "node_modules/.bin");

const checks: Record<string, string[]> = {
  "lint and format": ["biome", "check", "--error-on-warnings"],
  types: ["tsc", "--noEmit", "--project", "tsconfig.json"],
  "types of the library, without Node": ["tsc", "--noEmit", "--project", "packages/doomloop/tsconfig.bare.json"],
  "types of the report page": ["tsc", "--noEmit", "--project", "packages/viewer/tsconfig.json"],
  "unused code": ["knip"],
  "files and links": [process.execPath, "scripts/check-files.ts"],
  "what is generated": [process.execPath, "scripts/generate.ts", "--check"],
};

interface Outcome {
  name: string;
  isFine: boolean;
  seconds: string;
  output: string;
}

const outcomes = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));

for (const { name, isFine, seconds, output } of outcomes) {
  if (!isFine) console.log(`\n--- ${name} ---\n${output.trim()}\n`);
  console.log(`${isFine ? "ok  " : "FAIL"} ${name} (${seconds} s)`);
}
process.exitCode = outcomes.every(({ isFine }) => isFine) ? 0 : 1;

function run(name: string, [program = "", ...options]: string[]): Promise<Outcome> {
  const start = performance.now();
  const child = spawn(program, options, {
    cwd: root,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
    // What npm installs are scripts for a shell there.
    shell: process.platform === "win32" && program !== process.execPath,
  });
  let output = "";
  child.stdout.on("data", (piece) => (output += piece));
  child.stderr.on("data", (piece) => (output += piece));
  return new Promise((done) => {
    const end = (isFine: boolean) =>
      done({ name, isFine, seconds: ((performance.now() - start) / 1000).toFixed(1), output });
    child.on("error", (fault) => {
      output += fault.message;
      end(false);
    });
    child.on("close", (code) => end(code === 0));
  });
}
