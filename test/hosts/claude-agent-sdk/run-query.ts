import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Options, query, type SDKMessage, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Block } from "../shared/anthropic-answer.ts";
import { type Body, messagesServer } from "./messages-server.ts";

export interface QueryReport {
  readonly bodies: readonly Body[];
  readonly messages: readonly SDKMessage[];
  readonly error?: unknown;
}

export interface QueryHow {
  readonly prompt?: string | AsyncIterable<SDKUserMessage>;
  readonly onMessage?: (message: SDKMessage) => void;
  readonly options?: Options;
  /** Without a limit of turns. */
  readonly hasDefaultLimits?: boolean;
}

/** Runs the real SDK with its real CLI against a scripted model, in a home and a folder of their own. */
export async function runQuery(
  answer: (body: Body, request: number) => Block[],
  how: QueryHow = {},
): Promise<QueryReport> {
  const home = mkdtempSync(join(tmpdir(), "doomloop-claude-"));
  const bodies: Body[] = [];
  const server = await messagesServer((body) => {
    bodies.push(JSON.parse(JSON.stringify(body).replaceAll(home, "/home")));
    return answer(body, bodies.length);
  });
  const messages: SDKMessage[] = [];
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, "config"),
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    // The tools of this process have the names that they were given.
    CLAUDE_AGENT_SDK_MCP_NO_PREFIX: "1",
  };
  const limits = how.hasDefaultLimits ? {} : { maxTurns: 20 };
  const base: Options = { cwd: home, env, model: "claude-sonnet-4-5", settingSources: [], ...limits };
  try {
    const run = query({ prompt: how.prompt ?? "Where is it?", options: { ...base, ...how.options } });
    for await (const message of run) {
      messages.push(message);
      how.onMessage?.(message);
    }
    return { bodies, messages };
  } catch (error) {
    return { bodies, messages, error };
  } finally {
    server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
