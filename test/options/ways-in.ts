import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { createGuard, type Decision } from "doomloop";
import { guard as guardLoop } from "doomloop/openai";
import { serveDecisions } from "../../packages/doomloop/src/cli/commands/serve-decisions.ts";
import type { Output } from "../../packages/doomloop/src/cli/terminal/output.ts";
import type { GuardConfig } from "../../packages/doomloop/src/counting/configured-guard.ts";
import { stateFolder } from "../../packages/doomloop/src/system/state-folder.ts";
import { UsageError } from "../../packages/doomloop/src/system/usage-error.ts";
import { createCliSandbox } from "../cli-sandbox.ts";
import { LAPS, type Loop, type Play, type Played, type WayIn } from "../contracts/every-option.ts";
import { openDoor } from "../hook-door.ts";
import { litellmInputs } from "../litellm-proxy.ts";

const TOKEN = "a-token-for-tests-only";
const root = resolve(import.meta.dirname, "../..");
export const main = join(root, "packages/doomloop/src/cli/main.ts");

const LAP_MS = 5_000;
const eventsOf = ({ tool, args, output }: Loop) =>
  Array.from({ length: LAPS }, (_, at) => [
    { type: "call", id: `${at}`, tool, args, at: at * LAP_MS } as const,
    { type: "result", id: `${at}`, output, at: at * LAP_MS + 500 } as const,
  ]).flat();

/** What is decided, without what belongs to a run. */
const inWords = (decisions: readonly Partial<Decision>[]): string =>
  decisions
    .map(({ action, message = "", question }, at) => `${at} ${action} ${message} ${question === undefined ? "" : "?"}`)
    .join("\n");

const orRefused = async (play: () => string | Promise<string>): Promise<Played> => {
  try {
    return { told: await play() };
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== "DoomloopError" && !(error instanceof UsageError)) throw error;
    return { refused: message };
  }
};

const library: Play = (config, loop) =>
  orRefused(() => {
    const guard = createGuard(config);
    return inWords(eventsOf(loop).map((event) => guard.observe(event)));
  });

/** A loop over Chat Completions, as people write it. Its end is a host's own, so `onStop` is part of what is told. */
const adapter: Play = (config, { tool, args, output }) =>
  orRefused(() => {
    const messages: object[] = [{ role: "user", content: "Where is it?" }];
    const ends: string[] = [];
    const observe = guardLoop(messages, { ...config, onStop: ({ explanation }) => void ends.push(explanation) });
    for (let lap = 0; lap < LAPS && !observe().isOver; lap++) {
      const call = { id: `${lap}`, type: "function", function: { name: tool, arguments: JSON.stringify(args) } };
      messages.push({ role: "assistant", content: null, tool_calls: [call] });
      for (const { id } of observe().calls as readonly { id: string }[])
        messages.push({ role: "tool", tool_call_id: id, content: output });
    }
    return JSON.stringify([messages, ends]);
  });

/** What a person types for a project so that hooks follow an option there. */
const TYPED: Partial<Record<keyof GuardConfig, (loop: Loop) => readonly string[]>> = {
  rules: ({ tool }) => ["allow", "--tool", tool],
  attended: () => ["mode", "unattended"],
};

const hook: Play = async (config, { tool, args, output }, name) => {
  const sandbox = createCliSandbox();
  const { folder } = sandbox;
  try {
    const typed = name && TYPED[name];
    if (typed !== undefined) await sandbox.doomloop(typed({ tool, args, output }));
    else if (name !== undefined) {
      const file = sandbox.write("doomloop.config.json", asJson(config));
      const { stdout } = await sandbox.doomloop(["status"], { COLUMNS: "1000" });
      const path = join(realpathSync(folder), file);
      return { refused: stdout.replaceAll(/\n(?=\S+ )/g, " ").replaceAll(`${path}: `, "FILE: ") };
    }
    const state = stateFolder({ env: {}, platform: process.platform, home: join(folder, "home") });
    let now = Date.now();
    const door = openDoor(state, () => now);
    const told: string[] = [];
    for (let lap = 0; lap < LAPS; lap++) {
      const event = { session_id: "one", cwd: folder, tool_name: tool, tool_input: args, tool_use_id: `${lap}` };
      for (const moment of [
        { hook_event_name: "PreToolUse", permission_mode: "default" },
        { hook_event_name: "PostToolUse", permission_mode: "default", tool_response: { content: output } },
      ]) {
        now += LAP_MS / 2;
        told.push(await door.tell("hook/claude-code", { ...event, ...moment }));
      }
    }
    return { told: told.join("\n") };
  } finally {
    sandbox.remove();
  }
};

/** A service with these policies, as `doomloop serve` starts it. */
async function serving(policies: object | undefined, use: (url: string) => Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-options-"));
  const file = join(folder, "policies.json");
  writeFileSync(file, asJson(policies ?? {}));
  const interrupted = new AbortController();
  let hasBegun = (_: string): void => {};
  const begun = new Promise<string>((done) => {
    hasBegun = done;
  });
  const output = { write: async (text: string) => hasBegun(/http\S+/.exec(text)![0]), isClosed: false } as Output;
  const ended = serveDecisions(
    // Nobody listens there. How often it would have been asked is counted.
    {
      listen: "127.0.0.1:0",
      ...(policies && { policies: file, opinionUrl: "http://127.0.0.1:1/v1", opinionModel: "m" }),
    },
    {
      output,
      messages: { write: () => {} },
      state: () => folder,
      signal: interrupted.signal,
      env: { DOOMLOOP_TOKEN: TOKEN },
      input: new PassThrough(),
    },
  );
  try {
    const url = await Promise.race([begun, ended.then(() => "")]);
    const told = await use(url);
    return `${told}\n${await askedOf(url)}`;
  } finally {
    interrupted.abort();
    await ended.catch(() => undefined);
    rmSync(folder, { recursive: true });
  }
}

async function post(url: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: asJson(body) });
  return (await response.json()) as Record<string, unknown>;
}

/** How often the model of the service was asked. */
async function askedOf(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  return (await response.text()).match(/^doomloop_service_questions_total.*$/gm)?.join("\n") ?? "";
}

const posted = async (url: string, loop: Loop, settings: object): Promise<string> => {
  const answer = await post(url, "/v1/runs/one/events", { events: eventsOf(loop), ...settings });
  return inWords(answer.decisions as Decision[]);
};

const named: Play = (config, loop) =>
  orRefused(() =>
    serving({ usual: "other", policies: { other: {}, team: config } }, (url) => posted(url, loop, { policy: "team" })),
  );

const usual: Play = (config, loop) =>
  orRefused(() => serving({ usual: "team", policies: { team: config } }, (url) => posted(url, loop, {})));

/** An agent whose requests pass a gateway until one of them is refused: through Portkey, then through LiteLLM. */
const gateway: Play = (config, loop) =>
  orRefused(() =>
    serving({ usual: "team", policies: { team: config } }, async (url) => {
      const portkey = await requestsOf(loop, async (json) => {
        const body = { eventType: "beforeRequestHook", request: { json }, metadata: { _user: "portkey" } };
        const { verdict, transformedData } = await post(url, "/v1/guardrails/portkey", body);
        return verdict === false ? undefined : JSON.stringify(transformedData ?? "");
      });
      const litellm = await requestsOf(loop, async (json) => {
        const body = { input_type: "request", request_data: {}, ...litellmInputs(json, "chat") };
        const { action, texts } = await post(url, "/v1/guardrails/litellm", body);
        return action === "BLOCKED" ? undefined : JSON.stringify(texts ?? "");
      });
      if (portkey !== litellm) throw new Error(`the gateways differ: ${portkey} and ${litellm}`);
      return portkey;
    }),
  );

/** How many messages of ours each request has, and which one is refused. */
async function requestsOf(
  { tool, args, output }: Loop,
  send: (json: { messages: never[] }) => Promise<string | undefined>,
): Promise<string> {
  const messages: object[] = [{ role: "user", content: "Where is it?" }];
  const told: string[] = [];
  for (let lap = 0; lap < LAPS; lap++) {
    const answer = await send({ messages: messages as never[] });
    told.push(answer === undefined ? "refused" : `${answer.split("[doomloop]").length - 1}`);
    if (answer === undefined) break;
    const call = { id: `${lap}`, type: "function", function: { name: tool, arguments: JSON.stringify(args) } };
    messages.push({ role: "assistant", content: null, tool_calls: [call] });
    messages.push({ role: "tool", tool_call_id: `${lap}`, content: output });
  }
  return told.join(" ");
}

const client: Play = async (config, loop) => {
  let refused: unknown;
  const told = await serving(undefined, async (url) => {
    const { decisions, detail } = await post(url, "/v1/runs/one/events", { events: eventsOf(loop), options: config });
    refused = detail;
    return inWords((decisions as Decision[] | undefined) ?? []);
  });
  return refused === undefined ? { told } : { refused: `${refused}` };
};

export const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

const python: Play = async (config, loop) => {
  let refused: string | undefined;
  const told = await serving(undefined, async (url) => {
    const words = ["-c", AGENT, url, TOKEN, asJson(config), asJson(loop), `${LAPS}`];
    const env = {
      ...process.env,
      PYTHONPATH: join(root, "clients/python"),
      PYTHONDONTWRITEBYTECODE: "1",
      DOOMLOOP: "",
    };
    const { stdout } = await promisify(execFile)("python3", words, { env });
    const answer = JSON.parse(stdout) as { readonly told: string; readonly refused?: string };
    refused = answer.refused;
    return answer.told;
  });
  return refused === undefined ? { told } : { refused };
};

const AGENT = `
import itertools, json, logging, sys
from doomloop import Guard
logged = []
logging.getLogger("doomloop").addFilter(lambda record: logged.append(record.getMessage()))
url, token, options, loop, laps = sys.argv[1:]
options, loop = json.loads(options), json.loads(loop)
options = {name: print if "a function" in json.dumps(value) else value for name, value in options.items()}
clock, told = itertools.count(0, 2500), []
with Guard(url=url, token=token, timeout=60, clock=lambda: next(clock), options=options) as guard:
    for lap in range(int(laps)):
        decision = guard.call(loop["tool"], loop["args"])
        if not decision.refused:
            decision = guard.result(loop["output"])
        told.append([decision.action, decision.message, decision.question is not None])
print(json.dumps({"told": json.dumps(told), **({"refused": logged[0]} if logged else {})}))
`;

/** JSON drops functions. Somebody who writes JSON by hand puts something else there. */
function asJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "function" ? "a function" : each));
}

export const WAYS_IN: Readonly<Record<WayIn, Play>> = {
  createGuard: library,
  "an adapter": adapter,
  "a hook": hook,
  "a policy": named,
  "the usual policy": usual,
  "a gateway": gateway,
  "a client over HTTP": client,
  "the Python client": python,
};
