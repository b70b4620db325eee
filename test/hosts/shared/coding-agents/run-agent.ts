import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { stopResident } from "../../../../packages/doomloop/src/service/resident-status.ts";
import { stateFolder } from "../../../../packages/doomloop/src/system/state-folder.ts";
import { packageHome } from "../../../../scripts/package/manifest.ts";
import type { AgentPlace, AgentStart, CodingAgent } from "./coding-agent.ts";
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
  /** Options of `doomloop init`, which adds the hook. Undefined: there is no hook. */
  readonly hook?: readonly string[] | undefined;
  /**
   * The doomloop whose hook it is.
   * @default what was built last
   */
  readonly doomloop?: InstalledDoomloop;
  /** What else is in the agent's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Changes something before the agent is started, when everything else is ready. */
  readonly change?: (place: AgentPlace) => void;
  /** Looks at what the agent has left before it is removed. */
  readonly inspect?: (place: AgentPlace) => void | Promise<void>;
}

export interface InstalledDoomloop {
  readonly node: string;
  /** The folder of the package. */
  readonly folder: string;
}

const BUILT: InstalledDoomloop = { node: process.execPath, folder: packageHome };

/** What there is to read for a model that goes in circles. */
const FOUND = "nothing was found";
/** Against hanging only. */
const LONGEST_MS = 540_000;

/** Runs a real agent against a scripted model, in a home and a folder of its own. */
export async function runAgent(agent: CodingAgent, options: AgentRunOptions): Promise<AgentRun> {
  const { script, hook, doomloop, env, change, inspect } = options;
  const server = await modelServer(agent.wire, script);
  const { root, place } = makePlace(server.url);
  try {
    const start = agent.prepare(place);
    if (hook !== undefined) addHook(agent, place, start, hook, doomloop);
    change?.(place);
    const { exitCode, output } = await runProgram(start, place, env);
    await inspect?.(place);
    const requests = server.requests.map((request) =>
      // Some make a name of the folder.
      request.replaceAll(root, "ROOT").replaceAll(basename(root), "ROOT").replaceAll(server.url, "URL"),
    );
    return { requests, looks: looksIn(requests.at(-1)), exitCode, output };
  } finally {
    server.close();
    await removePlace(root, place);
  }
}

/** How often the model has read `result.txt` when it was asked this. */
function looksIn(request = ""): number {
  return request.split(FOUND).length - 1;
}

/** A home and a folder for one run. Their names are short, because the path of a socket has to be. */
export function makePlace(modelUrl: string): { readonly root: string; readonly place: AgentPlace } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dl-")));
  const place = { home: join(root, "home"), folder: join(root, "work"), state: join(root, "state"), modelUrl };
  for (const folder of [place.home, place.folder, place.state]) mkdirSync(folder);
  writeFileSync(join(place.folder, "result.txt"), `${FOUND}\n`);
  writeFileSync(join(place.folder, "poll.sh"), `echo polled >> "${root}/polls"\nwc -l < "${root}/polls"\n`);
  return { root, place };
}

/** Ends the resident guard of a run, and removes what is left of the run. */
export async function removePlace(root: string, place: AgentPlace): Promise<void> {
  // The plugin of an agent may not know where the state is, and takes the usual folder.
  for (const state of [hookState(place), hookState({ ...place, state: "" })]) await stopResident(state);
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
}

/** The folder of what hooks keep. */
export function hookState({ home, state }: AgentPlace): string {
  return stateFolder({ env: { XDG_STATE_HOME: state }, platform: process.platform, home });
}

/** Adds the hook as users do. */
export function addHook(
  agent: CodingAgent,
  place: AgentPlace,
  { env }: AgentStart,
  words: readonly string[],
  { node, folder }: InstalledDoomloop = BUILT,
): void {
  if (agent.addHook !== undefined) {
    agent.addHook(place, words);
    return;
  }
  execFileSync(node, [join(folder, "dist/cli/main.js"), "init", agent.name, ...words, "--yes"], {
    cwd: place.folder,
    env: { ...environmentOf(place), ...env },
    stdio: "pipe",
  });
}

/** What every program of a run finds in its environment. */
export function environmentOf({ home, state }: AgentPlace): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: state };
}

function runProgram(
  { program, words, env }: AgentStart,
  place: AgentPlace,
  extra: AgentRunOptions["env"],
): Promise<Pick<AgentRun, "exitCode" | "output">> {
  const child = spawn(program, words, {
    cwd: place.folder,
    env: { ...environmentOf(place), NO_COLOR: "1", ...env, ...extra },
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
