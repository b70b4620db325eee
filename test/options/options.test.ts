import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliSandbox, createCliSandbox } from "../cli-sandbox.ts";
import { everyOption, type Play, type WayIn } from "../contracts/every-option.ts";
import { hasPython, main, WAYS_IN } from "./ways-in.ts";

describe.each(Object.entries(WAYS_IN) as [WayIn, Play][])("%s", (way, play) => {
  everyOption(way, play, way === "the Python client" && !hasPython);
});

describe("doomloop serve, as a process", () => {
  let sandbox: CliSandbox;
  beforeEach(() => {
    sandbox = createCliSandbox();
  });
  afterEach(() => sandbox.remove());

  it("starts with plain counts as its usual policy, and follows them", async () => {
    const counter = { counts: { repeats: 3, within: 20 } };
    const file = sandbox.write("policies.json", JSON.stringify({ usual: "counter", policies: { counter } }));
    const words = [main, "serve", "--listen", "127.0.0.1:0", "--policies", join(sandbox.folder, file)];
    const token = "a-token-for-tests-only";
    const service = spawn(process.execPath, words, { env: { ...process.env, DOOMLOOP_TOKEN: token }, stdio: "pipe" });
    try {
      let text = "";
      for (const stream of [service.stdout, service.stderr]) stream.on("data", (piece) => (text += piece));
      await Promise.race([expect.poll(() => text).toContain("Ctrl-C ends"), once(service, "exit")]);
      const [, url] = /Listening on (\S+)/.exec(text) ?? [];
      expect({ url, text }).toEqual({ url: expect.any(String), text: expect.not.stringContaining("Error") });
      const call = { type: "call", tool: "read_file", args: { path: "a.ts" } };
      const events = Array.from({ length: 5 }, (_, at) => ({ ...call, id: `${at}` }));
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}/v1/runs/a/events`, {
        method: "POST",
        headers,
        body: JSON.stringify({ events }),
      });
      const { decisions } = (await response.json()) as { decisions: { action: string }[] };

      expect(decisions.map(({ action }) => action)).toEqual(["continue", "continue", "nudge", "block", "stop"]);
    } finally {
      service.kill();
    }
  });

  it("says in one line what is wrong with a policy, and does not start", async () => {
    const file = sandbox.write("policies.json", JSON.stringify({ policies: { team: { onDecision: "a.js" } } }));
    const env = { DOOMLOOP_TOKEN: "a-token-for-tests-only" };
    const outcome = await sandbox.spawned(["serve", "--listen", "127.0.0.1:0", "--policies", file], env);

    expect({ ...outcome, stderr: outcome.stderr.trim() }).toEqual({
      code: 2,
      stdout: "",
      stderr: "doomloop: --policies: policies: team: onDecision: only code can set it, not JSON",
    });
  });
});
