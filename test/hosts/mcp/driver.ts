import { guard } from "doomloop/mcp";
import { z } from "zod";
import {
  type AdapterDriver,
  answerAt,
  type HostReport,
  type HostRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedTool,
  type WiredHost,
  type WireMessage,
  type WirePart,
} from "../../contracts/adapter-driver.ts";
import { reportOf } from "../shared/report-of.ts";
import { type CallResult, join, type McpClient, type McpPackage, type McpServer } from "./mcp-packages.ts";

const NO_MODEL = "MCP knows of tools only";

/** Drives a small loop of its own around a real client and a real server in one process. Each run wraps the client. */
export function createDriver(mcp: McpPackage): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "none" },
    lacks: {
      streaming: `${NO_MODEL}, not of a model's answers`,
      approval: `${NO_MODEL}; who calls them has asked before`,
      rejection: `${NO_MODEL}; who calls them has asked before`,
      "provider-executed": `${NO_MODEL}, not of what a provider runs`,
      text: `${NO_MODEL}, not of what a model says`,
      reasoning: `${NO_MODEL}, not of what a model thinks`,
      request: `${NO_MODEL}, not of what a user asks for`,
      instances: "a result that is no JSON is refused by the protocol",
    },
    wire(tools, options): WiredHost {
      const client = mcp.client();
      const connected = join(mcp, client, serverOf(mcp, tools));
      const wrap = (): McpClient => (options === undefined ? client : guard(client, options));
      wrap();
      return {
        async run(script, { signal } = {}) {
          await connected;
          const options = signal === undefined ? [] : [{ signal }];
          return runScript(wrap(), script, mcp.major === 1 && signal ? [undefined, ...options] : options);
        },
      };
    },
  };
}

function serverOf(mcp: McpPackage, tools: readonly ScriptedTool[]): McpServer {
  const server = mcp.server();
  for (const { name, run } of tools) {
    const config = { description: name, inputSchema: z.looseObject({}) };
    server.registerTool(name, config, async (input) => resultOf(await run(input)));
  }
  return server;
}

function resultOf(output: unknown): CallResult {
  if (typeof output === "string") return { content: [{ type: "text", text: output }] };
  return { content: [{ type: "text", text: JSON.stringify(output) }], structuredContent: output };
}

function runScript(
  client: McpClient,
  script: readonly ScriptedAnswer[],
  more: readonly unknown[],
): Promise<HostReport> {
  const requests: HostRequest[] = [];
  const results: CallResult[] = [];
  const messages: WireMessage[] = [{ role: "user", parts: [{ type: "text", text: "Where is it?" }] }];
  return reportOf(requests, async () => {
    const { tools } = await client.listTools();
    for (;;) {
      requests.push(structuredClone({ raw: { messages, tools, results }, messages }));
      const { text, calls = [] } = answerAt(script, requests.length - 1);
      if (calls.length === 0) return { outcome: { text, results } };
      messages.push({ role: "assistant", parts: [...wordsOf(text), ...calls.map(callPart)] });
      const answers = await Promise.all(
        calls.map(({ tool, args }) => client.callTool({ name: tool, arguments: { ...args } }, ...more)),
      );
      results.push(...answers);
      messages.push({ role: "tool", parts: answers.map((answer, at) => resultPart(calls[at]!, answer)) });
    }
  });
}

function wordsOf(text: string | undefined): WirePart[] {
  return text === undefined ? [] : [{ type: "text", text }];
}

function callPart({ id }: ScriptedCall): WirePart {
  return { type: "call", id };
}

function resultPart({ id }: ScriptedCall, { content }: CallResult): WirePart {
  return { type: "result", id, text: content.map(({ text = "" }) => text).join("\n") };
}
