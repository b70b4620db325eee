import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { guard, loopStop } from "doomloop/anthropic";
import { describe, expect, it } from "vitest";
import type { HostDowngrade } from "../../../packages/doomloop/src/host/host-options.ts";
import { loopScript, QUICK, twinScript } from "../../contracts/adapter-scripts.ts";
import { scriptedClient } from "./messages-server.ts";

const base = { model: "scripted", max_tokens: 100, messages: [{ role: "user", content: "Where is it?" } as const] };

function readFile(): BetaRunnableTool {
  return {
    name: "read_file",
    input_schema: { type: "object" },
    parse: (content) => content,
    run: () => "nothing found",
  };
}

describe("guard, on a list of tools", () => {
  it("blocks instead of ending where the runner is not guarded, and says so", async () => {
    const { client, requests } = scriptedClient(loopScript(8));
    const downgrades: HostDowngrade[] = [];
    const runs: unknown[] = [];
    const counted = { ...readFile(), run: (args: unknown) => `nothing found${runs.push(args) > 99 ? "!" : ""}` };
    const tools = guard([counted], { ...QUICK, onDowngrade: (downgrade) => void downgrades.push(downgrade) });
    await client.beta.messages.toolRunner({ ...base, tools });

    expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toEqual(["stop block"]);
    expect(requests).toHaveLength(9);
    expect(runs).toHaveLength(4);
  });

  it("takes equal calls of one answer for one round, also of tools that answer at once", async () => {
    const { client, requests } = scriptedClient(twinScript(2, 3));
    await client.beta.messages.toolRunner({ ...base, tools: guard([readFile()]) });

    expect(JSON.stringify(requests)).not.toContain("[doomloop]");
  });

  it("fails with the very error of the tool, and with one that inherits from it where words go along", async () => {
    class DiskError extends Error {
      readonly disk = "a";
    }
    const thrown = new DiskError("the disk is full");
    const [tool] = guard([{ ...readFile(), run: () => Promise.reject(thrown) }]);
    const errors: unknown[] = [];
    for (let at = 0; at < 3; at++) await tool?.run().catch((error: unknown) => errors.push(error));

    expect(errors[0]).toBe(thrown);
    expect(errors[1]).toBe(thrown);
    expect(errors[2]).toBeInstanceOf(DiskError);
    expect(errors[2]).toMatchObject({ disk: "a", message: expect.stringMatching(/^the disk is full\n\n\[doomloop\]/) });
    expect(thrown.message).toBe("the disk is full");
  });

  it("takes an empty list for tools or for messages, whatever it turns out to be", async () => {
    const given = guard([], QUICK);
    const { client, requests } = scriptedClient([{ text: "No." }]);
    await guard(client.beta.messages.toolRunner({ ...base, tools: given as never }));

    expect(requests[0]?.raw).toMatchObject({ body: { tools: [] } });
    expect(loopStop(given)).toBeUndefined();
    expect(given.message).toBeTypeOf("function");
  });

  it("throws for what it cannot guard", () => {
    expect(() => guard({ preset: "balanced" } as never)).toThrow(
      "guard: a tool runner, a list of messages or a list of tools is required, got object",
    );
  });

  it("gives a tool back as it is that the provider or the caller runs", () => {
    const search = { type: "web_search_20250305", name: "web_search" } as const;

    expect(guard([search])[0]).toBe(search);
  });
});
