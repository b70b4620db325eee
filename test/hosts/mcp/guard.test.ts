import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { type AgentEvent, createGuard, type Decision } from "doomloop";
import { guard, loopStop } from "doomloop/mcp";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ClientLike } from "../../../packages/doomloop/src/adapters/mcp/guard.ts";
import type { HostDowngrade } from "../../../packages/doomloop/src/host/host-options.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type CallResult, join, type McpClient, type McpPackage, packages } from "./mcp-packages.ts";

const WORDS = "[doomloop]";
const BLOCKED = `${WORDS} Not run:`;
const CALL = { name: "read_file", arguments: { path: "x" } };

interface Tool {
  readonly config?: object;
  readonly result?: () => unknown;
}

/** A client that is joined to a server with one tool, and how often the tool ran. */
async function connect(mcp: McpPackage, { config, result }: Tool = {}, client = mcp.client()) {
  const server = mcp.server();
  const ran: unknown[] = [];
  const plain = { content: [{ type: "text", text: "nothing" }] };
  server.registerTool("read_file", { inputSchema: z.object({ path: z.string() }), ...config }, async (input) => {
    ran.push(input);
    return result?.() ?? plain;
  });
  await join(mcp, client, server);
  return { client, server, ran };
}

const fail = (fault: unknown): never => {
  throw fault;
};

async function callOften(client: McpClient, times: number): Promise<CallResult[]> {
  const results: CallResult[] = [];
  for (let call = 0; call < times; call++) results.push(await client.callTool(structuredClone(CALL)));
  return results;
}

const textsOf = ({ content }: CallResult) => content.map(({ text = "" }) => text);

/** A guard that continues, and notes what it observes. */
function listening() {
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return { action: "continue" };
  };
  return { own: { ...createGuard(), observe }, events };
}

describe.each(packages)("guard, in major $major", (mcp) => {
  it("is the client in everything else: class, fields, what is set on it, and how it is joined", async () => {
    const bare = mcp.client();
    const guarded = guard(bare);
    await connect(mcp, {}, guarded);
    let closed = 0;
    guarded.onclose = () => void closed++;

    expect(guarded).toBeInstanceOf(mcp.major === 1 ? Client1 : Client2);
    expect(guarded.constructor).toBe(bare.constructor);
    expect(guarded.close).toBe(guarded.close);
    expect(bare.onclose).toBe(guarded.onclose);
    expect((await guarded.listTools()).tools).toHaveLength(1);
    await guarded.close();
    expect(closed).toBeGreaterThan(0);
  });

  it("keeps a result's structure, and adds words as one more piece of content", async () => {
    const config = { outputSchema: z.object({ hits: z.number() }) };
    const found = { content: [{ type: "text", text: "none" }], structuredContent: { hits: 0 }, _meta: { page: 1 } };
    const { client } = await connect(mcp, { config, result: () => found });
    const guarded = guard(client, { ...QUICK, onFault: fail });
    await guarded.listTools();
    const results = await callOften(guarded, 4);

    expect(results.map(({ content }) => content.length)).toEqual([1, 1, 2, 2]);
    expect(results[2]).toMatchObject({ structuredContent: { hits: 0 }, _meta: { page: 1 } });
    expect(textsOf(results[2]!)[1]).toContain(WORDS);
    expect(textsOf(results[3]!)[0]).toBe("none");
  });

  /** Makes the same call so often, each with a signal of its own that is aborted while the tool runs. */
  async function abortOften(client: McpClient, times: number, abort: () => AbortSignal): Promise<unknown[]> {
    const errors: unknown[] = [];
    for (let call = 0; call < times; call++) {
      const options = { signal: abort() };
      const more = mcp.major === 1 ? [undefined, options] : [options];
      errors.push(await client.callTool(structuredClone(CALL), ...more).catch((error: unknown) => error));
    }
    return errors;
  }

  it("takes a call that was aborted for one that was not made", async () => {
    const { own, events } = listening();
    const hanging = await connect(mcp, { result: () => new Promise(() => undefined) });
    const aborting = (): AbortSignal => {
      const controller = new AbortController();
      setImmediate(() => controller.abort(new Error("The user pressed escape.")));
      return controller.signal;
    };
    const bare = await abortOften(hanging.client, 2, aborting);
    const aborted = await abortOften(guard(hanging.client, { guard: own, onFault: fail }), 2, aborting);
    const quick = guard(hanging.client, { ...QUICK, onFault: fail });

    expect(aborted.map(String)).toEqual(bare.map(String));
    expect(events.filter(({ type }) => type === "result")).toEqual(
      Array(2).fill({ type: "result", id: expect.any(String), cancelled: true, at: expect.any(Number) }),
    );
    expect(JSON.stringify((await abortOften(quick, 10, aborting)).map(String))).not.toContain(WORDS);
  });

  it("takes a call that ran out of its time for one that failed, which may pass for a while", async () => {
    const { client } = await connect(mcp, { result: () => new Promise(() => undefined) });
    const guarded = guard(client, { ...QUICK, onFault: fail });
    const errors = await abortOften(guarded, 16, () => AbortSignal.timeout(5));

    expect(errors.map(String).join()).toContain(WORDS);
  });

  it("blocks with an error of the tool's, of which no output is asked", async () => {
    const config = { outputSchema: z.object({ hits: z.number() }) };
    const result = () => ({ content: [{ type: "text", text: "one hit" }], structuredContent: { hits: 1 } });
    const { client, ran } = await connect(mcp, { config, result });
    const guarded = guard(client, QUICK);
    await guarded.listTools();
    const results = await callOften(guarded, 5);

    expect(ran).toHaveLength(4);
    expect(results[4]?.isError).toBe(true);
    expect(textsOf(results[4]!)[0]).toContain(BLOCKED);
  });

  it("takes calls that are made at the same time for one, however many they are", async () => {
    const { client } = await connect(mcp);
    const guarded = guard(client);
    const votes = Array.from({ length: 20 }, () => guarded.callTool(structuredClone(CALL)));

    expect(JSON.stringify(await Promise.all(votes))).not.toContain(WORDS);
  });

  it("keeps a loop blocked that it cannot end, tells once of what it does instead, and lets other calls run", async () => {
    const { client, ran } = await connect(mcp);
    const downgrades: HostDowngrade[] = [];
    const guarded = guard(client, { ...QUICK, onDowngrade: (downgrade) => void downgrades.push(downgrade) });
    const results = await callOften(guarded, 10);
    const other = await guarded.callTool({ name: "read_file", arguments: { path: "y" } });

    expect(results.map(({ isError = false }) => isError)).toEqual([...Array(4).fill(false), ...Array(6).fill(true)]);
    // Each once: the loop is refused, and what is no loop runs although the run was to end.
    expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toEqual(["stop block"]);
    expect(textsOf(other)[0]).toBe("nothing");
    expect(ran).toHaveLength(5);
  });

  const decisionsOf = (results: CallResult[]) => results.map(({ _meta }) => _meta?.["doomloop/decision"]);

  it("tells the program whether a call was refused or the run was to end, until the user speaks", async () => {
    const { client } = await connect(mcp);
    const own = createGuard(QUICK);
    const guarded = guard(client, { guard: own });
    const untouched = Array(4).fill(undefined);
    expect(decisionsOf(await callOften(guarded, 8))).toEqual([...untouched, "block", "stop", "stop", "stop"]);
    expect(decisionsOf([await guarded.callTool({ name: "read_file", arguments: { path: "y" } })])).toEqual([undefined]);
    own.observe({ type: "user" });

    expect(decisionsOf(await callOften(guarded, 6))).toEqual([...untouched, "block", "stop"]);
  });

  it("gives the program the end of the run with the result of the refused call, and with no other", async () => {
    const { client } = await connect(mcp);
    const results = await callOften(guard(client, QUICK), 6);
    const forged = { ...structuredClone(results[5]!) };

    expect(results.slice(0, 5).map(loopStop)).toEqual(Array(5).fill(undefined));
    expect(loopStop(results[5]!)).toMatchObject({
      status: "LOOP_DETECTED",
      action: "stop",
      tool: "read_file",
      callId: undefined,
      explanation: expect.stringMatching(/^Stopped: the agent called `read_file`/),
    });
    expect(JSON.stringify(results)).not.toContain("LOOP_DETECTED");
    expect([forged, undefined, "stop"].map((other) => loopStop(other as never))).toEqual(Array(3).fill(undefined));
  });

  it("tells so through a server that hands its results on", async () => {
    const { client } = await connect(mcp);
    const guarded = guard(client, QUICK);
    const proxy = mcp.server();
    proxy.registerTool("read_file", { inputSchema: z.object({ path: z.string() }) }, () => guarded.callTool(CALL));
    const outer = mcp.client();
    await join(mcp, outer, proxy);

    expect(decisionsOf(await callOften(outer, 6)).slice(-3)).toEqual([undefined, "block", "stop"]);
  });

  it("tells so with a guard of `createGuard`, and of one that makes none", async () => {
    const { client } = await connect(mcp);
    const faults: unknown[] = [];
    const made = guard(client, { ...QUICK, createGuard: (options) => createGuard(options) });
    const none = guard(client, { createGuard: () => undefined as never, onFault: (fault) => void faults.push(fault) });

    expect(decisionsOf(await callOften(made, 6)).slice(-2)).toEqual(["block", "stop"]);
    expect(decisionsOf(await callOften(none, 6))).toEqual(Array(6).fill(undefined));
    expect(faults.map(String)).toEqual([expect.stringContaining("createGuard: a guard is required")]);
  });

  it("passes on what the server says of its tools, to every run over the client", async () => {
    const { client } = await connect(mcp, { config: { annotations: { readOnlyHint: true } } });
    const before = listening();
    await guard(client, { guard: before.own }).callTool(CALL);
    await guard(client).listTools();
    const after = listening();
    await guard(client, { guard: after.own }).callTool(CALL);

    expect(before.events[1]).toMatchObject({ type: "call", tool: "read_file", readOnly: undefined });
    expect(after.events[1]).toMatchObject({ type: "call", tool: "read_file", readOnly: true });
    expect(after.events[2]).toMatchObject({ type: "result", output: "nothing", error: false });
  });

  it("tells calls of several clients apart that share a guard", async () => {
    const { own, events } = listening();
    const clients = [await connect(mcp), await connect(mcp)].map(({ client }) => guard(client, { guard: own }));
    await Promise.all(clients.map((client) => client.callTool(CALL)));
    const idsOf = (type: string) => events.flatMap((event) => (event.type === type && "id" in event ? [event.id] : []));

    expect(new Set(idsOf("call")).size).toBe(2);
    expect(idsOf("result").sort()).toEqual(idsOf("call").sort());
  });

  it("takes word of the user through a guard of the caller's", async () => {
    const { client } = await connect(mcp);
    const own = createGuard();
    const guarded = guard(client, { guard: own });
    const results: CallResult[] = [];
    for (let turn = 0; turn < 6; turn++) {
      own.observe({ type: "user" });
      results.push(...(await callOften(guarded, 1)));
    }

    expect(results.flatMap(textsOf)).toEqual(Array(6).fill("nothing"));
  });

  it("tells the guard of a tool that fails", async () => {
    const { own, events } = listening();
    const { client } = await connect(mcp, { result: () => fail(new Error("the disk is full")) });
    await guard(client, { guard: own }).callTool(CALL);

    expect(events.find(({ type }) => type === "result")).toMatchObject({
      type: "result",
      output: "the disk is full",
      error: true,
    });
  });

  it("rejects with the client's own error, and with one that inherits from it where words go along", async () => {
    const { client } = await connect(mcp);
    await client.close();
    const guarded = guard(client);
    const errors: Error[] = [];
    for (let call = 0; call < 3; call++) await guarded.callTool(CALL).catch((error) => void errors.push(error));
    const bare = (await client.callTool(CALL).catch((error: unknown) => error)) as Error;

    expect(errors.map(({ message }) => message === bare.message)).toEqual([true, true, false]);
    expect(errors[2]).toBeInstanceOf(bare.constructor);
    expect(errors[2]?.message).toContain(`${bare.message}\n\n${WORDS}`);
    const thrown = new TypeError("no");
    const broken = guard<ClientLike>({ callTool: () => Promise.reject(thrown), listTools: async () => ({}) });
    await expect(broken.callTool(...([CALL] as never[]))).rejects.toBe(thrown);
  });

  it("passes on what follows the call", async () => {
    const { client } = await connect(mcp);
    const signal = AbortSignal.abort("enough");
    const more = mcp.major === 1 ? [CallToolResultSchema, { signal }] : [{ signal }];

    await expect(guard(client).callTool(CALL, ...more)).rejects.toThrow("enough");
  });

  it("leaves a call that makes no sense to the client", async () => {
    const { client } = await connect(mcp);
    const faults: unknown[] = [];
    const guarded = guard(client, { onFault: (fault) => void faults.push(fault) });
    const bare = await client.callTool(undefined as never).catch(String);

    expect(await guarded.callTool(undefined as never).catch(String)).toBe(bare);
    expect(faults).toHaveLength(1);
  });

  it("holds words that fit nowhere until there is content", async () => {
    const results = [{ task: 1 }, { task: 1 }, { task: 1 }, { content: [{ type: "text", text: "done" }] }];
    const callTool = async () => results.shift()!;
    const guarded = guard<ClientLike>({ callTool, listTools: async () => ({}) }, { onFault: fail });
    const call = () => guarded.callTool(...([CALL] as never[]));

    expect([await call(), await call(), await call()]).toEqual([{ task: 1 }, { task: 1 }, { task: 1 }]);
    expect(textsOf((await call()) as CallResult)[1]).toContain(WORDS);
  });

  it("lets a server ask the human, and its tool run when the human agrees", async () => {
    let asked = 0;
    const client = mcp.client(() => ({ action: ++asked === 1 ? "decline" : "accept", content: {} }));
    const server = mcp.server();
    server.registerTool("read_file", { inputSchema: z.object({ path: z.string() }) }, async () => {
      const requestedSchema = { type: "object", properties: {} };
      const { action } = await server.server.elicitInput({ message: "May I?", requestedSchema });
      return { content: [{ type: "text", text: action }] };
    });
    await join(mcp, client, server);
    const results = await callOften(guard(client), 2);

    expect(asked).toBe(2);
    expect(results.flatMap(textsOf)).toEqual(["decline", "accept"]);
  });
});
