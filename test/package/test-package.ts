import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importPaths, packageHome } from "../../scripts/package/manifest.ts";
import { attempt, npm, programOf } from "../../scripts/run-program.ts";
import { createActionSandbox } from "../house/run-action.ts";
import { checkBundles, checkLoaded, checkStart } from "./check-bundles.ts";
import { checkHooks, checkInstall, checkLicences, checkMetadata } from "./check-installed.ts";
import { createPackedProject } from "./packed-project.ts";

/** Packs the package, installs it into an empty project, and uses it there as a user does. Needs a build. */
const project = await attempt("packs, and installs into an empty project", createPackedProject);
const { tarball, folder } = project;
const program = join(folder, "node_modules/doomloop/dist/cli/main.js");

try {
  await attempt("passes publint", () => void project.node([programOf("publint"), "run", tarball, "--strict"]));
  await attempt("passes attw", () => void project.node([programOf("attw"), tarball, "--profile", "esm-only"]));
  await attempt("takes little room", () => checkInstall(folder));
  await attempt("says one version everywhere", () => checkMetadata(folder));
  await attempt("names all that is bundled, with licences", () => checkLicences(folder));
  await attempt("imports every path", importAll);
  await attempt("leads stack traces to the source", followStack);
  await attempt("replays a trace", replayTrace);
  await attempt("scans a session into a page", scanSession);
  await attempt("is what the GitHub action installs from a tarball", runAction);
  await attempt("guards coding agents, and leaves their settings as they were", () => checkHooks(folder, project.home));
  await attempt("answers the hook of an agent", answerHook);
  await attempt("loads no more than it may", () => checkLoaded(folder));
  await attempt("starts the command line with little", () => checkStart(folder));
  await attempt("puts into apps only what they use", () => checkBundles(folder));
  for (const resolution of ["nodenext", "bundler"])
    await attempt(`type-checks with moduleResolution ${resolution}`, () => typeCheck(resolution));
} catch {
  process.exitCode = 1;
} finally {
  project.remove();
}

/** Three equal calls with equal results are spoken of. */
function answerHook(): void {
  const told = { session_id: "s", transcript_path: "s.jsonl", tool_name: "Bash", tool_input: { command: "ls" } };
  // Where the command line finds it, too.
  const state = join(project.home, "doomloop");
  const hook = join(folder, "node_modules/doomloop/dist/agents/hook-client/hook.sh");
  // Twenty seconds, because the first one starts the resident, and a machine may be slow.
  const words = [hook, state, process.execPath, "20", "hook/claude-code?v=0"];
  const ask = (event: object) =>
    execFileSync("/bin/sh", words, { input: JSON.stringify({ ...told, ...event }), encoding: "utf8" });
  const answers = [1, 2, 3].map((id) => {
    const call = { tool_use_id: String(id) };
    ask({ ...call, hook_event_name: "PreToolUse" });
    const answer = ask({ ...call, hook_event_name: "PostToolUse", tool_response: "nothing" });
    ask({ hook_event_name: "PostToolBatch", tool_calls: [] });
    return answer;
  });
  if (answers.map((answer) => answer.includes("[doomloop]")).join() !== "false,false,true")
    throw new Error(`the hook answered ${JSON.stringify(answers)}`);
  execFileSync(process.execPath, [program, "stop"], {
    env: { ...process.env, XDG_STATE_HOME: project.home },
    stdio: "ignore",
  });
}

function importAll(): void {
  project.write("imports.mjs", [...importPaths().keys()].map((path) => `import "${path}";\n`).join(""));
  project.node(["imports.mjs"]);
}

/** An error's place is that in the source, with its text, though the code is bundled and the source is not shipped. */
function followStack(): void {
  project.write("fault.mjs", 'import { createGuard } from "doomloop";\ncreateGuard({ preset: "no such preset" });\n');
  try {
    project.node(["--enable-source-maps", "fault.mjs"]);
  } catch (fault) {
    const { stderr } = fault as { stderr: string };
    const place = /doomloop[\\/](src[\\/]core[\\/][\w\\/-]+\.ts):(\d+)/.exec(stderr);
    if (place === null) throw new Error(`no place in the source, but:\n${stderr}`);
    const [, file = "", line = ""] = place;
    const source = readFileSync(join(packageHome, file), "utf8").split("\n")[Number(line) - 1]!;
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
  project.write("trace.jsonl", `${JSON.stringify({ run: "hand-written", events })}\n`);
  const output = npm(["exec", "--no", "--", "doomloop", "scan", "trace.jsonl"], folder);
  if (!output.includes("read_file")) {
    throw new Error(`doomloop scan does not report the loop, it prints:\n${output}`);
  }
}

/** Through threads of their own, which need a file of their own, and with prices and the page. */
function scanSession(): void {
  const call = { type: "call", id: "1", tool: "read_file", args: { path: "a.ts" } };
  const result = { type: "result", id: "1", output: "no such file ".repeat(2_000_000), error: true };
  project.write(
    "large.jsonl",
    `${JSON.stringify({ run: "large", model: "claude-sonnet-4-5", events: [call, result] })}\n`,
  );
  project.node([program, "scan", "large.jsonl", "trace.jsonl", "--no-cache", "--html", "report.html"]);
  if (!readFileSync(join(folder, "report.html"), "utf8").includes('"kind":"repeated-call"')) {
    throw new Error("the report page does not show the loop");
  }
}

/** As a job does that packs its checkout. The steps are for a shell. */
async function runAction(): Promise<void> {
  if (process.platform === "win32") return;
  const action = createActionSandbox();
  try {
    const paths = join(folder, "trace.jsonl");
    const { code, stdout } = await action.run({ package: tarball, paths, "fail-on": "block" });
    if (code !== 10 || !stdout.includes("::error title=doomloop"))
      throw new Error(`it ended with ${code} and printed:\n${stdout}`);
  } finally {
    action.remove();
  }
}

/** No node types and no DOM: the declarations ask nothing of the consumer's project. */
function typeCheck(resolution: string): void {
  const adapters = [...importPaths()].filter(([, file]) => file.includes("/adapters/")).map(([path]) => path);
  project.write(
    "consumer.ts",
    `import { createGuard, type AgentEvent, type Decision } from "doomloop";
${adapters.map((name, at) => `import * as adapter${at} from "${name}";`).join("\n")}
import * as fleet from "doomloop/fleet";
import { createTelemetry, type Telemetry } from "doomloop/telemetry";
import { assertGuarded } from "doomloop/testing";
import { readers, type TranscriptReader } from "doomloop/transcripts";
import { createWorkspace, type Workspace } from "doomloop/workspace";

const event: AgentEvent = { type: "call", id: "1", tool: "read_file", args: { path: "a.ts" } };
export const decision: Decision = createGuard().observe(event);
export const action: "continue" | "nudge" | "block" | "restart" | "stop" = decision.action;
export const names: string[] = Object.keys(fleet);
export const adapters: object[] = [${adapters.map((_, at) => `adapter${at}`).join(", ")}];
export const observer: ReturnType<Telemetry["observeFleet"]> = createTelemetry({ trace: { getActiveSpan: () => undefined } }).observeFleet();
export const signs: Promise<unknown> = assertGuarded(() => {});
export const reader: TranscriptReader | undefined = readers[0];
export const workspace: Workspace = createWorkspace({ root: ".", stateDirectory: "/elsewhere" });
`,
  );
  project.checkTypes(["consumer.ts"], {
    target: "es2022",
    lib: ["es2022"],
    types: [],
    module: resolution === "bundler" ? "esnext" : resolution,
    moduleResolution: resolution,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
  });
}
