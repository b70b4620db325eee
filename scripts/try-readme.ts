import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { freePorts } from "../test/stores/servers/free-ports.ts";
import { CHECKS } from "./front-door/checks.ts";
import { createEmptyMachine, follow } from "./front-door/empty-machine.ts";
import { readTries, type Try } from "./front-door/read-tries.ts";
import { installHost } from "./install-host.ts";
import { pack } from "./package/pack.ts";
import { requireBuild } from "./package/require-build.ts";

/**
 * Does all that the README offers to try, as it stands there, from the packed package on a machine as good as empty, and holds each to five
 * minutes. Needs a build. Names choose among them.
 */
requireBuild();
const LONGEST_SECONDS = 300;
/** The port in the README; here it may be taken. */
const README_PORT = "6390";
const root = resolve(import.meta.dirname, "..");
const chosen = process.argv.slice(2);
const [port] = await freePorts(1);
const markdown = readFileSync(join(root, "README.md"), "utf8").replaceAll(README_PORT, String(port));
const tries = readTries(markdown);
const packed = mkdtempSync(join(tmpdir(), "doomloop-packed-"));
let failed = 0;

try {
  const tarball = pack(packed);
  const missing = Object.keys(CHECKS).filter((name) => !tries.some((each) => each.name === name));
  if (missing.length > 0) throw new Error(`README.md does not offer to try ${missing.join(", ")}`);
  for (const each of tries) if (chosen.length === 0 || chosen.includes(each.name)) await attempt(each, tarball);
} finally {
  rmSync(packed, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

async function attempt({ name, steps }: Try, tarball: string): Promise<void> {
  if (name === "fleet" && spawnSync("redis-server", ["--version"]).status !== 0)
    return console.log(`skip ${name}: there is no redis-server here`);
  // Claude Code itself comes with its SDK, which is tested anyway.
  const programs = name === "hook" ? [join(installHost("claude-agent-sdk"), "@anthropic-ai", claudePackage())] : [];
  const machine = createEmptyMachine(name, programs);
  const start = performance.now();
  try {
    const output = await follow(machine, steps, tarball);
    const seconds = (performance.now() - start) / 1000;
    await CHECKS[name]!(output, machine);
    if (seconds > LONGEST_SECONDS) throw new Error(`it took ${seconds.toFixed(0)} s`);
    console.log(`ok   ${name} (${seconds.toFixed(1)} s)`);
    if (chosen.length > 0) console.log(output);
  } catch (fault) {
    failed++;
    console.log(`FAIL ${name}\n${(fault as Error).message}`);
  } finally {
    rmSync(dirname(machine.home), { recursive: true, force: true, maxRetries: 10 });
  }
}

function claudePackage(): string {
  return `claude-agent-sdk-${process.platform}-${process.arch}`;
}
