import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkBundles, checkStart } from "./package/check-bundles.ts";
import { checkHooks } from "./package/check-hooks.ts";
import { checkInstall } from "./package/check-install.ts";
import { checkLicences } from "./package/check-licences.ts";
import { checkMetadata } from "./package/check-metadata.ts";
import { checkContents } from "./package/contents.ts";
import { importPaths } from "./package/manifest.ts";
import { pack as packPackage } from "./package/pack.ts";
import { readTarball } from "./package/read-tarball.ts";
import { requireBuild } from "./package/require-build.ts";
import { programOf } from "./program-of.ts";

/** Packs the package, installs it into an empty project, and uses it there as a user does. Needs a build. */
requireBuild();
const root = resolve(import.meta.dirname, "..");
const home = join(root, "packages/doomloop");
const folder = mkdtempSync(join(tmpdir(), "doomloop-package-"));
const project = join(folder, "project");

try {
  const tarball = await step("packs", pack);
  await step("passes publint", () => tool("publint", ["run", tarball, "--strict"]));
  await step("passes attw", () => tool("attw", [tarball, "--profile", "esm-only"]));
  await step("installs into an empty project", () => install(tarball));
  await step("takes little room", () => console.log(`     ${checkInstall(project)}`));
  await step("says one version everywhere", () => console.log(`     ${checkMetadata(project)}`));
  await step("names all that is bundled, with licences", () => console.log(`     ${checkLicences(project)}`));
  await step("imports every path", importAll);
  await step("leads stack traces to the source", followStack);
  await step("replays a trace", replayTrace);
  await step("scans a session into a page", scanSession);
  await step("guards coding agents, and leaves their settings as they were", () =>
    checkHooks(project, join(folder, "home")),
  );
  await step("answers the hook of an agent", answerHook);
  await step("starts the command line with little", () => checkStart(project));
  await step("puts into apps only what they use", () => checkBundles(project));
  for (const resolution of ["nodenext", "bundler"]) {
    await step(`type-checks with moduleResolution ${resolution}`, () => typeCheck(resolution));
  }
} catch {
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(): string {
  const tarball = packPackage(folder);
  console.log(`     ${checkContents(readTarball(tarball), false)}`);
  return tarball;
}

/** Three equal calls with equal results are spoken of. */
function answerHook(): void {
  const told = { session_id: "s", transcript_path: "s.jsonl", tool_name: "Bash", tool_input: { command: "ls" } };
  const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
  const hook = join(project, "node_modules/doomloop/dist/agents/hook-program/main.cjs");
  const ask = (event: object) =>
    execFileSync(process.execPath, [hook], { input: JSON.stringify({ ...told, ...event }), env, encoding: "utf8" });
  const answers = [1, 2, 3].map((id) => {
    const call = { tool_use_id: String(id) };
    ask({ ...call, hook_event_name: "PreToolUse" });
    const answer = ask({ ...call, hook_event_name: "PostToolUse", tool_response: "nothing" });
    ask({ hook_event_name: "PostToolBatch", tool_calls: [] });
    return answer;
  });
  if (answers.map((answer) => answer.includes("[doomloop]")).join() !== "false,false,true")
    throw new Error(`the hook answered ${JSON.stringify(answers)}`);
}

function install(tarball: string): void {
  mkdirSync(project);
  write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], project);
}

function importAll(): void {
  write("imports.mjs", [...importPaths().keys()].map((path) => `import "${path}";\n`).join(""));
  run(process.execPath, ["imports.mjs"], project);
}

/** An error's place is that in the source, with its text, though the code is bundled and the source is not shipped. */
function followStack(): void {
  write("fault.mjs", 'import { createGuard } from "doomloop";\ncreateGuard({ preset: "no such preset" });\n');
  try {
    run(process.execPath, ["--enable-source-maps", "fault.mjs"], project);
  } catch (fault) {
    const { stderr } = fault as { stderr: string };
    const place = /doomloop[\\/](src[\\/]core[\\/][\w\\/-]+\.ts):(\d+)/.exec(stderr);
    if (place === null) throw new Error(`no place in the source, but:\n${stderr}`);
    const [, file = "", line = ""] = place;
    const source = readFileSync(join(home, file), "utf8").split("\n")[Number(line) - 1]!;
    if (!stderr.includes(source.trim())) throw new Error(`${file}:${line} is not where it was thrown:\n${stderr}`);
    return;
  }
  throw new Error("a preset that does not exist was accepted");
}

function replayTrace(): void {
  const events = Array.from({ length: 12 }, (_, index) => [
    { type: "call", id: `c${index}`, tool: "read_file", args: { path: "a.ts" } },
    { type: "result", id: `c${index}`, output: "no such file", error: true },
  ]).flat();
  write("trace.jsonl", `${JSON.stringify({ run: "hand-written", events })}\n`);
  const output = run("npx", ["--no-install", "doomloop", "scan", "--runs", "trace.jsonl"], project);
  if (!output.includes("read_file") && !output.includes("repeated-call")) {
    throw new Error(`doomloop scan --runs does not report the loop, it prints:\n${output}`);
  }
}

/** Through threads of their own, which need a file of their own, and with prices and the page. */
function scanSession(): void {
  const call = { type: "call", id: "1", tool: "read_file", args: { path: "a.ts" } };
  const result = { type: "result", id: "1", output: "no such file ".repeat(2_000_000), error: true };
  write("large.jsonl", `${JSON.stringify({ run: "large", model: "claude-sonnet-4-5", events: [call, result] })}\n`);
  run(
    "npx",
    ["--no-install", "doomloop", "scan", "large.jsonl", "trace.jsonl", "--no-cache", "--html", "report.html"],
    project,
  );
  if (!readFileSync(join(project, "report.html"), "utf8").includes('"kind":"repeated-call"')) {
    throw new Error("the report page does not show the loop");
  }
}

/** No node types and no DOM: the declarations ask nothing of the consumer's project. */
function typeCheck(resolution: string): void {
  const adapters = [...importPaths()].filter(([, file]) => file.includes("/adapters/")).map(([path]) => path);
  write(
    "consumer.ts",
    `import { createGuard, type AgentEvent, type Decision } from "doomloop";
${adapters.map((name, at) => `import * as adapter${at} from "${name}";`).join("\n")}
import * as fleet from "doomloop/fleet";
import { createTelemetry, type FleetObserver } from "doomloop/telemetry";
import { assertGuarded } from "doomloop/testing";
import { readers, type TranscriptReader } from "doomloop/transcripts";
import { createWorkspace, type Workspace } from "doomloop/workspace";

const event: AgentEvent = { type: "call", id: "1", tool: "read_file", args: { path: "a.ts" } };
export const decision: Decision = createGuard().observe(event);
export const action: "continue" | "nudge" | "block" | "restart" | "stop" = decision.action;
export const names: string[] = Object.keys(fleet);
export const adapters: object[] = [${adapters.map((_, at) => `adapter${at}`).join(", ")}];
export const observer: FleetObserver = createTelemetry({ trace: { getActiveSpan: () => undefined } }).observeFleet();
export const signs: Promise<unknown> = assertGuarded(() => {});
export const reader: TranscriptReader | undefined = readers[0];
export const workspace: Workspace = createWorkspace({ root: ".", stateDirectory: "/elsewhere" });
`,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2022"],
    types: [],
    module: resolution === "bundler" ? "esnext" : resolution,
    moduleResolution: resolution,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  tool("tsc", ["--project", "tsconfig.json"], project);
}

async function step<Result>(name: string, action: () => Result): Promise<Awaited<Result>> {
  const start = performance.now();
  try {
    const result = await action();
    console.log(`ok   ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    return result;
  } catch (fault) {
    console.log(`FAIL ${name}\n${explain(fault)}`);
    throw fault;
  }
}

function explain(fault: unknown): string {
  const { message, stdout = "", stderr = "" } = fault as Error & { stdout?: string; stderr?: string };
  return [message.split("\n")[0], stdout, stderr].filter((part) => part !== "").join("\n");
}

function tool(name: string, options: string[], cwd?: string): string {
  return run(process.execPath, [programOf(name), ...options], cwd);
}

function run(program: string, options: string[], cwd: string = root): string {
  // What npm installs on Windows are scripts for a shell.
  const shell = process.platform === "win32" && program !== process.execPath;
  return execFileSync(program, options, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell });
}

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text);
}
