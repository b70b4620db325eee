import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Resident, startResident } from "../../service/resident.ts";
import { createDoomloop, type ToolPart } from "./plugin.ts";

let state: string;
let resident: Resident | undefined;
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "dl-"));
  resident = await startResident({ state, version: "0.0.0", onFault: (fault) => expect(fault).toBeUndefined() });
});
afterEach(async () => {
  vi.useRealTimers();
  await resident?.end();
  rmSync(state, { recursive: true });
});

/** opencode with a tool that always fails. */
async function failingAgent() {
  const hooks = await createDoomloop({ state, node: process.execPath })({
    directory: "/work",
    client: { session: { abort: async () => {} } },
  });
  const stored: ToolPart[] = [];
  return {
    hooks,
    async fail(isHeardFirst = false) {
      const call = { tool: "edit", sessionID: "s", callID: `c${stored.length}` };
      await hooks["tool.execute.before"](call, { args: { filePath: "a.ts" } });
      const part = {
        ...call,
        type: "tool",
        state: { status: "error", input: { filePath: "a.ts" }, error: "not found" },
      };
      stored.push(part);
      if (isHeardFirst) await hooks.event({ event: { type: "message.part.updated", properties: { part } } });
    },
    /** What the model reads in the next request. */
    async request(): Promise<readonly unknown[]> {
      const messages = [{ parts: [...stored] }];
      await hooks["experimental.chat.messages.transform"]({}, { messages });
      return messages.flatMap(({ parts }) => parts.map(({ state }) => state?.error));
    },
  };
}

describe("the plugin for opencode", () => {
  it.each([true, false])(
    "adds words to a failed call in every request from then on, after its event: %s",
    async (isHeardFirst) => {
      const agent = await failingAgent();
      for (let lap = 1; lap <= 3; lap++) {
        const before = await agent.request();
        expect(before).toEqual(Array(lap - 1).fill("not found"));
        await agent.fail(isHeardFirst);
      }
      const told = ["not found", "not found", expect.stringMatching(/^not found\n\n\[doomloop\] /)];

      expect(await agent.request()).toEqual(told);
      expect(await agent.request()).toEqual(told);
    },
  );

  it("adds words about a failed call to the next result if no request was made in between", async () => {
    const { hooks, fail } = await failingAgent();
    for (let lap = 1; lap <= 3; lap++) await fail(true);
    const result = { output: "read" as unknown };
    await hooks["tool.execute.after"]({ tool: "read", sessionID: "s", callID: "other" }, result);

    expect(result.output).toMatch(/^read\n\n\[doomloop\] /);
  });

  it("says nothing about failed calls of an earlier session", async () => {
    const { hooks } = await failingAgent();
    const old = { type: "tool", sessionID: "s", callID: "old", tool: "edit", state: { status: "error", error: "no" } };
    const messages = [{ parts: [old, { type: "text" }] }];
    await hooks["experimental.chat.messages.transform"]({}, { messages });

    expect(messages).toEqual([{ parts: [old, { type: "text" }] }]);
  });

  it("adds words to a prompt that another plugin sends when a turn ends, then refuses it, and lets the user go on", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const shown: string[] = [];
    const tui = { showToast: async ({ body }: { body: { message: string } }) => void shown.push(body.message) };
    const session = { abort: async () => {} };
    const hooks = await createDoomloop({ state, node: process.execPath })({
      directory: "/work",
      client: { session, tui },
    });
    const prompt = async (text: string) => {
      const parts: { type: string; id: string; text: string; synthetic?: boolean }[] = [
        { type: "text", id: "prt_1", text },
      ];
      await hooks["chat.message"]({ sessionID: "s" }, { parts });
      return parts.slice(1);
    };
    const endTurn = async () => {
      vi.setSystemTime(Date.now() + 1000);
      await hooks["experimental.text.complete"]({ sessionID: "s" }, { text: "There is nothing left to do." });
      // opencode does not wait for this.
      void hooks.event({
        event: { type: "message.updated", properties: { info: { sessionID: "s", finish: "stop" } } },
      });
    };
    await prompt("Go.");
    await endTurn();
    const added: unknown[] = [];
    for (let turn = 1; turn <= 20; turn++) {
      added.push(...(await prompt("continue")));
      await endTurn();
    }

    expect(added[0]).toEqual({
      type: "text",
      id: "prt_1x",
      text: expect.stringMatching(/^\[doomloop\] /),
      synthetic: true,
    });
    await expect(prompt("continue")).rejects.toThrow(/^Stopped: .* To go on, write to the agent\.$/);
    expect(shown[0]).toMatch(/^Stopped: /);
    expect(await prompt("Look again.")).toEqual([]);
  });
});
