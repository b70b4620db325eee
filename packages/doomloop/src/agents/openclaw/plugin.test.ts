import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Resident, startResident } from "../../service/resident.ts";
import type { OpenclawApi, OpenclawContext } from "./plugin.ts";
import plugin from "./plugin.ts";

let folder: string;
let residents: readonly (Resident | undefined)[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-openclaw-"));
  vi.stubEnv("HOME", folder);
  vi.stubEnv("XDG_STATE_HOME", join(folder, "environment"));
  // When a refusal is due depends on the time that has passed.
  vi.useFakeTimers({ toFake: ["Date"] });
  // An agent waits a second for the first answer. A slow machine may take longer to start a process.
  const start = (name: string) =>
    startResident({ state: join(folder, name), version: "0.0.0", onFault: (fault) => expect(fault).toBeUndefined() });
  residents = await Promise.all([start("one"), start("other")]);
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(residents.map((resident) => resident?.end()));
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

type Handler = (event: unknown, context: OpenclawContext) => Promise<unknown>;

/** OpenClaw, as far as it tells a plugin of calls. */
function openclawWith(config: OpenclawApi["pluginConfig"]) {
  const pluginConfig = { state: join(folder, "one"), ...config };
  const handlers = new Map<string, Handler>();
  plugin.register({
    pluginConfig,
    on: (event: string, handler: unknown) => void handlers.set(event, handler as Handler),
    registerAgentToolResultMiddleware: (handler) => void handlers.set("result", handler as Handler),
  });
  let at = 0;
  return {
    handlers,
    async lap(runId = "run") {
      const context = { sessionId: folder, runId };
      const call = { toolName: "exec", toolCallId: `c${++at}` };
      const params = { command: "cat notes.md" };
      const refused = await handlers.get("before_tool_call")!({ ...call, params }, context);
      const result = { content: [{ type: "text", text: "nothing found" }], details: { durationMs: at } };
      return refused ?? (await handlers.get("result")!({ ...call, args: params, result }, context));
    },
  };
}

describe("the plugin for OpenClaw", () => {
  it("adds words behind the third result, and keeps what was there", async () => {
    const agent = openclawWith(undefined);
    const laps = [await agent.lap(), await agent.lap(), await agent.lap()];

    expect(laps.slice(0, 2)).toEqual([undefined, undefined]);
    expect(laps[2]).toEqual({
      result: {
        content: [
          { type: "text", text: "nothing found" },
          { type: "text", text: expect.stringContaining("[doomloop]") },
        ],
        details: { durationMs: 3 },
      },
    });
  });

  it("refuses where nobody watches, and nowhere else", async () => {
    const alone = openclawWith({ unattended: true });
    // In no time, the first refusal is due 28 calls after the first words.
    for (let count = 0; count < 30; count++) await alone.lap();
    expect(await alone.lap()).toEqual({ block: true, blockReason: expect.stringContaining("[doomloop]") });

    const watched = openclawWith({ state: join(folder, "other") });
    for (let count = 0; count < 40; count++) expect((await watched.lap()) ?? {}).not.toHaveProperty("block");
  });

  it("keeps its state where the settings say, not where the environment says, which a workspace can set", async () => {
    await openclawWith({}).lap();

    expect(existsSync(join(folder, "one"))).toBe(true);
    expect(existsSync(join(folder, "environment"))).toBe(false);
  });

  it("takes a new run for a new message", async () => {
    const agent = openclawWith({ unattended: true });
    for (const run of ["one", "two", "three", "four", "five", "six"]) expect(await agent.lap(run)).toBeUndefined();
  });

  it("asks for more at the third turn of a run that ends alike, and ends such a run, whatever other plugins want", async () => {
    const { handlers } = openclawWith(undefined);
    const endTurn = (runId: string) => {
      vi.setSystemTime(Date.now() + 5000);
      const event = { lastAssistantMessage: "There is nothing left to do." };
      return handlers.get("before_agent_finalize")!(event, { sessionId: folder, runId });
    };
    const turns: unknown[] = [];
    for (let turn = 1; turn <= 20; turn++) turns.push(await endTurn("one"));

    expect(turns.slice(0, 3)).toEqual([
      undefined,
      undefined,
      { action: "revise", reason: expect.stringMatching(/^\[doomloop\] /) },
    ]);
    expect(turns.at(-1)).toEqual({ action: "finalize" });
    for (let turn = 1; turn <= 30; turn++) expect(await endTurn(`message-${turn}`)).toBeUndefined();
  });

  it("says nothing to what it does not understand, because a fault would be a refusal", async () => {
    const { handlers } = openclawWith({ unattended: true });
    for (const handler of handlers.values()) {
      for (const event of [undefined, null, {}, { result: { content: [null] } }, { params: 7n }]) {
        expect(await handler(event, { sessionId: "s", runId: "r" })).toBeUndefined();
        expect(await handler(event, {})).toBeUndefined();
      }
    }
  });
});
