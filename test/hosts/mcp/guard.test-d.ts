import type { Client as Client2 } from "@modelcontextprotocol/client";
import type { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { guard, type LoopStop, loopStop } from "doomloop/mcp";
import { expectTypeOf } from "vitest";
import type { ClientLike } from "../../../packages/doomloop/src/adapters/mcp/guard.ts";

declare const client1: Client1;
declare const client2: Client2;

/** A guarded client is the client to the type checker, in both majors. */
export async function staysWhatItIs(): Promise<void> {
  expectTypeOf<Client1>().toExtend<ClientLike>();
  expectTypeOf<Client2>().toExtend<ClientLike>();
  expectTypeOf(guard(client1)).toEqualTypeOf<Client1>();
  expectTypeOf(guard(client2, { attended: true })).toEqualTypeOf<Client2>();
  const call = { name: "search", arguments: { query: "x" } };
  await guard(client1).callTool(call, CallToolResultSchema, { timeout: 5 });
  const result = await guard(client2).callTool(call, { timeout: 5 });
  expectTypeOf(loopStop(result)).toEqualTypeOf<LoopStop | undefined>();
  loopStop(await guard(client1).callTool(call));
  // @ts-expect-error: not a client.
  guard({ callTool: async () => ({}) });
  // @ts-expect-error: an option of another library.
  guard(client1, { maxSteps: 5 });
}

type First<Client extends ClientLike> = Client["callTool"] extends (first: infer Call, ...rest: never[]) => unknown
  ? Call
  : never;
type Result<Client extends ClientLike> = Awaited<ReturnType<Client["callTool"]>>;
type Tools<Client extends { listTools(): Promise<{ tools: unknown }> }> = Awaited<
  ReturnType<Client["listTools"]>
>["tools"];

interface Hinted {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined } | undefined;
}

/** What is read of calls, results and lists is there; what a blocked call gives back is a result of theirs. */
export function readsWhatIsThere(): void {
  interface Call {
    readonly name: string;
    readonly arguments?: Record<string, unknown> | undefined;
  }
  expectTypeOf<First<Client1>>().toExtend<Call>();
  expectTypeOf<First<Client2>>().toExtend<Call>();
  expectTypeOf<Tools<Client1>>().toExtend<readonly Hinted[]>();
  expectTypeOf<Tools<Client2>>().toExtend<readonly Hinted[]>();
  interface Refused {
    content: { type: "text"; text: string }[];
    isError: true;
    _meta: { "doomloop/decision": "block" | "stop" };
  }
  expectTypeOf<Refused>().toExtend<Pick<Result<Client1>, keyof Refused>>();
  expectTypeOf<Refused>().toExtend<Pick<Result<Client2>, keyof Refused>>();
}
