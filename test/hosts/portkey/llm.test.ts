import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  gatewayHeaders,
  type Listening,
  type Script,
  startGateway,
  startService,
  startUpstream,
  type Upstream,
} from "./gateway-setup.ts";

/**
 * Where `llm` is: on this machine, or in the Debian that `npm run test:package -- recipes` has installed, which only root can enter. That one is slow to
 * start, so a build leaves it out.
 */
const debian = join(process.env.DOOMLOOP_CI_CACHE || join(homedir(), ".cache/doomloop-ci"), "debian-sid");
const isThere = !process.env.CI && process.getuid?.() === 0 && existsSync(join(debian, "usr/bin/llm"));
const place = isHere() ? "" : isThere ? debian : undefined;

function isHere(): boolean {
  try {
    execFileSync("llm", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const TOOL = "def read_file(path: str) -> str:\n    return f'the content of {path}'\n";
const loop: Script = () => ({ tool: "read_file", args: { path: "a.ts" } });
const honest: Script = (request) =>
  request > 6 ? { text: "Done." } : { tool: "read_file", args: { path: `file-${request}.ts` } };

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `llm` as a person does who has put the gateway into its list of models. */
async function runLlm(gateway: number, headers: Record<string, string>): Promise<Ended> {
  mkdirSync(join(place!, tmpdir()), { recursive: true });
  const home = mkdtempSync(join(place!, tmpdir(), "doomloop-llm-"));
  const inside = home.slice(place!.length);
  const model = {
    ...{ model_id: "scripted", model_name: "scripted", api_base: `http://127.0.0.1:${gateway}/v1` },
    ...{ supports_tools: true, can_stream: false, headers },
  };
  // JSON is YAML.
  writeFileSync(join(home, "extra-openai-models.yaml"), JSON.stringify([model]));
  writeFileSync(join(home, "tool.py"), TOOL);
  const words = ["llm", "-m", "scripted", "--key", "none", "--no-log", "--functions", `${inside}/tool.py`];
  const command = ["env", `LLM_USER_PATH=${inside}`, ...words, "--chain-limit", "15", "Fix the login bug."];
  const [program, ...rest] = place === "" ? command : ["chroot", place!, ...command];
  try {
    return await new Promise((resolve) => {
      const child = execFile(program!, rest, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      // It waits for the end of what it could read besides its prompt.
      child.stdin?.end();
    });
  } finally {
    rmSync(home, { recursive: true });
  }
}

describe.skipIf(place === undefined)("llm through Portkey (skipped where `llm` is not installed)", () => {
  let gateway: Listening;
  let service: Listening;
  let upstream: Upstream;
  beforeAll(async () => {
    [gateway, service] = await Promise.all([startGateway(), startService("quick")]);
  });
  afterAll(() => Promise.all([gateway, service].map((each) => each?.kill())));
  afterEach(() => upstream?.end());

  const run = (port: number | undefined): Promise<Ended> =>
    runLlm(gateway.port, gatewayHeaders(upstream.port, port, "openai"));
  const told = (): number[] =>
    upstream.bodies.flatMap((body, at) => (JSON.stringify(body).includes("[doomloop] ") ? [at + 1] : []));

  it("is sent on unchanged in a healthy run", async () => {
    upstream = await startUpstream(honest, "healthy");
    await run(undefined);
    const before = JSON.stringify(upstream.bodies);
    await upstream.end();
    upstream = await startUpstream(honest, "healthy");

    expect(await run(service.port)).toMatchObject({ code: 0, stdout: "Done.\n" });
    expect(JSON.stringify(upstream.bodies)).toBe(before);
  });

  it("gets words at its fourth request, and is refused by the gateway if it does not listen", async () => {
    upstream = await startUpstream(loop);
    await run(undefined);
    const unguarded = upstream.bodies.length;
    await upstream.end();
    upstream = await startUpstream(loop);
    const { code, stderr } = await run(service.port);

    expect(code).not.toBe(0);
    expect(stderr).toContain("LOOP_DETECTED");
    expect(told()[0]).toBe(4);
    expect({ unguarded, guarded: upstream.bodies.length }).toEqual({ unguarded: 15, guarded: 6 });
  });
});
