import { Client as Client2, InMemoryTransport as Transport2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as Transport1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as Server1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer as Server2 } from "@modelcontextprotocol/server";

export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What the tests use of a client of either major; the type tests hold the real ones. */
export interface McpClient {
  callTool(parameters: { name: string; arguments?: object }, ...more: unknown[]): Promise<CallResult>;
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
}

export interface McpServer {
  /** What lies below, and can ask the client. */
  readonly server: { elicitInput(parameters: object): Promise<{ action: string }> };
  registerTool(name: string, config: object, callback: (input: unknown) => unknown): void;
  connect(transport: unknown): Promise<void>;
}

/** The client and the server of one major, and what joins them in one process. */
export interface McpPackage {
  readonly major: 1 | 2;
  /** A client; with `agree`, one that a server can ask things of. */
  client(agree?: () => object): McpClient;
  server(): McpServer;
  pair(): readonly [unknown, unknown];
}

const who = { name: "scripted", version: "1.0.0" };

export const packages: readonly McpPackage[] = [
  {
    major: 1,
    client(agree) {
      const client = new Client1(who, agree && { capabilities: { elicitation: {} } });
      if (agree) client.setRequestHandler(ElicitRequestSchema, agree as never);
      return client as unknown as McpClient;
    },
    server: () => new Server1(who) as unknown as McpServer,
    pair: () => Transport1.createLinkedPair(),
  },
  {
    major: 2,
    client(agree) {
      const client = new Client2(who, agree && { capabilities: { elicitation: {} } });
      if (agree) client.setRequestHandler("elicitation/create", agree as never);
      return client as unknown as McpClient;
    },
    server: () => new Server2(who) as unknown as McpServer,
    pair: () => Transport2.createLinkedPair(),
  },
];

/** Joins a client to a server. */
export async function join(mcp: McpPackage, client: McpClient, server: McpServer): Promise<void> {
  const [ours, theirs] = mcp.pair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
}
