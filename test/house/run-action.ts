import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { type CommandOutcome, spawnCommand } from "../run-command.ts";

const root = resolve(import.meta.dirname, "../..");
const main = join(root, "packages/doomloop/src/cli/main.ts");

interface ActionStep {
  readonly name: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

export const actionText = readFileSync(join(root, "action.yml"), "utf8");
export const action = parse(actionText) as Action;

/** What a job sees of the action: what the steps print and how they end, and what they leave behind. */
interface ActionOutcome extends CommandOutcome {
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A workspace on a runner of GitHub. */
export interface ActionSandbox {
  /** The folder that the steps start in. */
  readonly workspace: string;
  /** Runs the steps that have commands, in order, until one fails. */
  run(inputs: Readonly<Record<string, string>>): Promise<ActionOutcome>;
  remove(): void;
}

/** Creates a workspace in which the package is this source. */
export function createActionSandbox(): ActionSandbox {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-action-"));
  const [workspace, home, runnerTemp] = ["workspace", "home", "runner"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [join(workspace, "package"), home, runnerTemp]) mkdirSync(each, { recursive: true });
  const manifest = { name: "doomloop", version: "0.0.0", type: "module", bin: { doomloop: "main.js" } };
  writeFileSync(join(workspace, "package/package.json"), JSON.stringify(manifest));
  writeFileSync(join(workspace, "package/main.js"), `#!/usr/bin/env node\nimport "${pathToFileURL(main)}";\n`);
  const [summary, output, script] = ["summary.md", "output.txt", "step.sh"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const runner = {
    ...{ PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: home, NO_COLOR: "1" },
    ...{ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: workspace, RUNNER_TEMP: runnerTemp, RUNNER_OS: "Linux" },
    ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output },
  };
  return {
    workspace,
    async run(inputs) {
      for (const file of [summary, output]) writeFileSync(file, "");
      const whole = { code: 0 as number | null, stdout: "", stderr: "" };
      for (const { run, env = {} } of action.runs.steps) {
        if (run === undefined || whole.code !== 0) continue;
        writeFileSync(script, run);
        const given = Object.entries(env).map(([name, value]) => [name, inputIn(value, inputs)] as const);
        const place = { cwd: workspace, env: { ...runner, ...Object.fromEntries(given) } };
        // As GitHub starts a shell that is called bash.
        const ended = await spawnCommand("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], place);
        whole.code = ended.code;
        whole.stdout += ended.stdout;
        whole.stderr += ended.stderr;
      }
      const lines = readFileSync(output, "utf8").split("\n").filter(Boolean);
      const outputs = lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]);
      return { ...whole, summary: readFileSync(summary, "utf8"), outputs: Object.fromEntries(outputs) };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The value of `${{ inputs.name }}`, which is all that the action may use. */
function inputIn(value: string, inputs: Readonly<Record<string, string>>): string {
  const name = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? "";
  const input = action.inputs[name];
  if (input === undefined) throw new Error(`${value} is no input`);
  return inputs[name] ?? input.default;
}
