import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { packageHome, requireBuild } from "../../../scripts/package/manifest.ts";
import { modelServer } from "./coding-agents/model-server.ts";
import type { ModelTurn, Wire } from "./coding-agents/model-turn.ts";

type Call = NonNullable<ModelTurn["calls"]>[number];

interface ProgramRun {
  /** What the model was asked, in order. */
  readonly requests: readonly string[];
  readonly exitCode: number | null;
  readonly printed: string;
}

const root = resolve(import.meta.dirname, "../../..");
const READ: Call = { tool: "read_file", args: { path: "package.json" } };
/** Of the file that is read: only its tool can have told the model. */
const SECRET = "project-of-a-person";
const ANSWER = "It lists seven packages.";
/** A guard that works ends the loop with the twentieth request. */
const MOST_REQUESTS = 25;
/** Against hanging only. */
const LONGEST_MS = 540_000;

/**
 * The first program of a framework's page does what the page says, as a person pastes it: with the built package, and the real framework.
 * `wire` is how its model speaks; `call` is what a model in a loop asks for.
 */
export function firstProgram(host: string, wire: Wire, call: Call = READ): void {
  const page = readFileSync(join(root, `docs/adapters/${host}.md`), "utf8");
  const program = /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
  const install = /^npm install (.*)$/m.exec(page)?.[1] ?? "";

  describe(`the first program of docs/adapters/${host}.md`, () => {
    it("imports what the line above it installs", () => {
      const installed = install.split(" ").map((word) => word.replace(/(?<=.)@.*$/, ""));
      const imported = [...program.matchAll(/^import .* from "((?:@[^/"]+\/)?[^/":]+)["/]/gm)].map(([, name]) => name);

      expect(imported.length).toBeGreaterThan(1);
      expect(installed).toEqual(expect.arrayContaining(imported));
    });

    it("ends a loop by itself, and prints why", async () => {
      const { requests, exitCode, printed } = await runProgram(host, program, wire, (request) =>
        request > MOST_REQUESTS ? { text: "I give up." } : { calls: [call] },
      );

      expect(printed).toMatch(/^Stopped: the agent called `\w+` \d+ times/m);
      expect(exitCode).toBe(0);
      expect(requests.length).toBeLessThan(MOST_REQUESTS);
      expect(
        requests.some((request) => /\[doomloop\] This exact `\w+` call gave the same result 3 times/.test(request)),
      ).toBe(true);
      expect(requests.some((request) => request.includes("[doomloop] Not run:"))).toBe(true);
    });

    it("prints the answer of a model that is in no loop", async () => {
      const { requests, exitCode, printed } = await runProgram(host, program, wire, (request) =>
        request === 1 ? { calls: [call] } : { text: ANSWER },
      );

      expect(printed).toContain(ANSWER);
      expect(printed).not.toContain("Stopped");
      expect(exitCode).toBe(0);
      expect(requests).toHaveLength(2);
      expect(requests[1]).toContain(SECRET);
      expect(requests.join()).not.toContain("[doomloop]");
    });
  });
}

/** Runs a program in a process and a folder of its own. All that it knows of the scripted model is in its environment. */
async function runProgram(
  host: string,
  program: string,
  wire: Wire,
  script: (request: number) => ModelTurn,
): Promise<ProgramRun> {
  requireBuild();
  const server = await modelServer(wire, script);
  const home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-program-")));
  const folder = join(home, "project");
  try {
    for (const each of [folder, join(home, "node_modules")]) mkdirSync(each);
    symlinkSync(packageHome, join(home, "node_modules/doomloop"), "junction");
    symlinkSync(join(root, "test/hosts", host, "node_modules"), join(folder, "node_modules"), "junction");
    writeFileSync(join(folder, "package.json"), `{ "name": "${SECRET}" }\n`);
    writeFileSync(join(folder, "agent.mts"), program);
    const ended = await runFile(folder, { HOME: home, ...environmentOf(server.url) });
    return { requests: server.requests, ...ended };
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** What the clients of the providers read. */
function environmentOf(url: string): Readonly<Record<string, string>> {
  return {
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: "none",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: "none",
    // They would report to their makers.
    OPENAI_AGENTS_DISABLE_TRACING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

function runFile(folder: string, env: Readonly<Record<string, string>>): Promise<Omit<ProgramRun, "requests">> {
  const child = spawn(process.execPath, ["agent.mts"], {
    cwd: folder,
    env: { PATH: process.env.PATH, NO_COLOR: "1", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (printed += piece));
  const ending = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS);
  return new Promise((done, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => {
      clearTimeout(ending);
      done({ exitCode, printed });
    });
  });
}
