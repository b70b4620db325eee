import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundleHook } from "../../../../scripts/package/bundle-hook.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import { modelServer } from "./model-server.ts";
import type { ModelTurn } from "./model-turn.ts";

export interface AgentRun {
  /** What the model was asked, in order, without the names of this run's folders. */
  readonly requests: readonly string[];
  /** How often the model has read `result.txt` when it was asked last. */
  readonly looks: number;
  readonly exitCode: number | null;
  readonly output: string;
}

export interface AgentRunOptions {
  readonly script: (request: number) => ModelTurn;
  /** Words of the hook; undefined: none. */
  readonly hook?: readonly string[] | undefined;
  /** For hooks that are no program: instead of ours. */
  readonly env?: Readonly<Record<string, string>>;
  /** Looks at what the agent has left before it is removed. */
  readonly inspect?: (place: AgentPlace) => void;
}

let bundled: Promise<string> | undefined;

/** The hook as it is shipped, made of the source. */
export function hookProgram(): Promise<string> {
  bundled ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), "doomloop-hook-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await bundleHook(folder);
    return join(folder, "main.cjs");
  })();
  return bundled;
}

/** What there is to read for a model that goes in circles. */
const FOUND = "nothing was found";
/** Against hanging only. */
const LONGEST_MS = 240_000;

/** Runs a real agent against a scripted model, in a home and a folder of its own. */
export async function runAgent(agent: CodingAgent, options: AgentRunOptions): Promise<AgentRun> {
  const { script, hook, env, inspect } = options;
  const root = mkdtempSync(join(tmpdir(), "doomloop-agent-"));
  const server = await modelServer(agent.wire, script);
  const place: AgentPlace = {
    home: join(root, "home"),
    folder: join(root, "work"),
    state: join(root, "state"),
    modelUrl: server.url,
    hook: hook && [process.execPath, await hookProgram(), ...hook],
  };
  for (const folder of [place.home, place.folder, place.state]) mkdirSync(folder);
  writeFileSync(
    join(place.folder, "result.txt"),
    `${FOUND}
`,
  );
  writeFileSync(join(place.folder, "poll.sh"), `echo polled >> "${root}/polls"\nwc -l < "${root}/polls"\n`);
  try {
    const { exitCode, output } = await start(agent, place, env);
    inspect?.(place);
    const requests = server.requests.map((request) =>
      // Some make a name of the folder.
      request.replaceAll(root, "ROOT").replaceAll(basename(root), "ROOT").replaceAll(server.url, "URL"),
    );
    const looks = (requests.at(-1) ?? "").split(FOUND).length - 1;
    return { requests, looks, exitCode, output };
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}

function start(
  agent: CodingAgent,
  place: AgentPlace,
  extra: AgentRunOptions["env"],
): Promise<Pick<AgentRun, "exitCode" | "output">> {
  const { program, words, env } = agent.prepare(place);
  const child = spawn(program, words, {
    cwd: place.folder,
    env: { PATH: process.env.PATH, HOME: place.home, XDG_STATE_HOME: place.state, NO_COLOR: "1", ...env, ...extra },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (piece) => (output += piece));
  child.stderr.on("data", (piece) => (output += piece));
  const ending = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      clearTimeout(ending);
      resolve({ exitCode, output });
    });
  });
}
