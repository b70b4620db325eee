import { readFileSync } from "node:fs";
import { seedOf } from "./numbers.ts";
import type { Host, Told } from "./steadiness.ts";

/**
 * How frameworks tell the model, by default, that a tool failed. Each was read from the installed package; the versions are those of
 * November 2026. Where a framework passes the error on as it is, there is nothing to tell.
 */
const frameworkErrors: readonly (readonly [framework: string, format: (error: string, tool: string) => string])[] = [
  // @openai/agents-core, openai-agents 0.x (Python): one sentence for every error
  ["OpenAI Agents", () => "An error occurred while running the tool. Please try again."],
  // openai 7.55, runTools
  ["openai", (_, tool) => `Invalid tool_call: "${tool}". Available options are: "a", "b". Please try again`],
  // langchain, @langchain/langgraph (JavaScript), langgraph-prebuilt (Python)
  ["LangGraph", (error) => `Error: ${error}\n Please fix your mistakes.`],
  [
    "LangGraph, arguments",
    (error, tool) =>
      `Error invoking tool '${tool}' with kwargs {} with error:\n ${error}\n Please fix the error and try again.`,
  ],
  // pydantic-ai-slim
  ["Pydantic AI", (error) => JSON.stringify({ error })],
  ["Pydantic AI, retry", (error) => `${error}\n\nFix the errors and try again.`],
  // crewai
  [
    "CrewAI",
    (error, tool) =>
      `\nI encountered an error while trying to use the tool. This was the error: ${error}.\n Tool ${tool} accepts these inputs: {}`,
  ],
  // smolagents
  [
    "smolagents",
    (error, tool) =>
      `Error:\nError executing tool '${tool}' with arguments {}: ${error}\nPlease try again or use another tool\nNow let's retry: take care not to repeat previous errors! If you have retried several times, try a completely different approach.`,
  ],
  // browser-use
  ["browser-use", (error, tool) => `Result\nError executing action ${tool}: ${error}`],
  // @google/adk, google-adk
  ["ADK", (error, tool) => JSON.stringify({ error: `Error in tool '${tool}': ${error}` })],
  // @strands-agents/sdk, strands-agents
  ["Strands", (error) => `Error: ${error}`],
  // @mastra/core
  [
    "Mastra, arguments",
    (error, tool) =>
      JSON.stringify({
        error: true,
        message: `Tool input validation failed for ${tool}. Please fix the following errors and try again:\n- ${error}`,
      }),
  ],
  // @modelcontextprotocol/sdk
  ["MCP", (error, tool) => `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${error}`],
  // Claude Code
  ["Claude Code", (error, tool) => `<tool_use_error>Error calling tool (${tool}): ${error}</tool_use_error>`],
  // @google/gemini-cli-core
  ["Gemini CLI", (error) => `Error: Tool call execution failed. Reason: ${error}`],
  // opencode-ai
  [
    "opencode",
    (error, tool) =>
      `The ${tool} tool was called with invalid arguments: ${error}\nPlease rewrite the input so it satisfies the expected schema.`,
  ],
  // litellm
  ["LiteLLM", (error) => `Error executing tool: ${error}`],
];

/** What people and programs write around a request; `{}` stands for the request itself. Each has a word that a guard may take for more than it says. */
const requests = JSON.parse(readFileSync(new URL("./requests.json", import.meta.url), "utf8")) as Record<
  string,
  string
>;

/** What harnesses say as the user before an answer of the model. */
const reminders: readonly (readonly [name: string, text: (round: number) => string])[] = [
  ["continue", () => "Continue."],
  ["proceed", () => "Please proceed with the next step. If you are done, use the finish tool."],
  ["counted", (round) => `Step ${round} of 100. Continue with your task.`],
  ["not finished", () => "You have not finished yet. Work on every open item, and wait for their results."],
];

/** A way to tell a run that must not matter. */
export interface Change {
  readonly group: string;
  readonly name: string;
  readonly host: Partial<Host>;
  /** Only runs of which something fails are told like this. */
  readonly isForFailures?: boolean;
  /** It takes a clock away, which some honest runs need to show that they wait. */
  readonly hasNoClock?: boolean;
}

/** What a result may say that is not about the world: a word in a file, a test or a page. */
const RESULT_WORDS =
  "loading|pending|running|queued|503 Service Unavailable|not found|ECONNREFUSED|address already in use|in progress 40%|try again later|timed out after 30 seconds|status: processing".split(
    "|",
  );
const FOLDERS = "loading|waiting-room|status-poller|errors|retry-queue|sleep|build-2024|timeouts|progress".split("|");
const THOUGHTS = "Let me look at this again.|That isn't what I expected.|Once more, to be sure.|Now I try this.".split(
  "|",
);

const hex = (number: number, digits: number): string =>
  (seedOf(`${number}`) * 0x10001).toString(16).slice(-digits).padStart(digits, "4");
const secondsOf = (number: number): string => (0.4 + (seedOf(`s${number}`) % 200) / 100).toFixed(2);
const codeOf = ({ isFailure }: Told): number => (isFailure ? 1 : 0);
const textOf = ({ output }: Told): string => (typeof output === "string" ? output : JSON.stringify(output));

const wraps: Readonly<Record<string, (told: Told, number: number) => unknown>> = {
  "content parts": (told) => [{ type: "text", text: textOf(told) }],
  "an MCP result": (told) => ({ content: [{ type: "text", text: textOf(told) }], isError: told.isFailure }),
  "stdout and stderr": (told) => ({
    stdout: told.isFailure ? "" : textOf(told),
    stderr: told.isFailure ? textOf(told) : "",
    exitCode: codeOf(told),
  }),
  "JSON with a duration": (told, number) =>
    JSON.stringify({
      output: textOf(told),
      metadata: { exit_code: codeOf(told), duration_seconds: Number(secondsOf(number)) },
    }),
  "a header of a process": (told, number) =>
    `Chunk ID: ${hex(number, 6)}\nWall time: ${secondsOf(number)} seconds\nProcess exited with code ${codeOf(told)}\nOriginal token count: ${40 + textOf(told).length}\nOutput:\n${textOf(told)}`,
  "tags with a return code": (told) => `<returncode>${codeOf(told)}</returncode>\n<output>\n${textOf(told)}\n</output>`,
  "an exit code after it": (told) => `${textOf(told)}\n[Command finished with exit code ${codeOf(told)}]`,
  "a duration after it": (told, number) => `${textOf(told)}\n(took ${secondsOf(number)}s)`,
  "a time before it": (told, number) =>
    `[2026-03-04T10:${10 + (number % 49)}:${10 + ((number * 7) % 49)}.120Z] ${textOf(told)}`,
  "an id after it": (told, number) =>
    `${textOf(told)}\nrequest_id: ${hex(number, 8)}-4f12-4a77-a1b2-${hex(number + 1, 8)}9c3e`,
  "a file that has all of it": (told, number) =>
    `${textOf(told)}\nFull output saved to: /tmp/agent/tool-results/call_${hex(number, 8)}.txt`,
  "a count of tokens": (told, number) =>
    `${textOf(told)}\n<system-reminder>Token usage: ${20_000 + 1_317 * number}/200000; ${180_000 - 1_317 * number} remaining</system-reminder>`,
  "a count of steps": (told, number) => `Step ${number}/100\n${textOf(told)}`,
  "a reminder": (told) =>
    `${textOf(told)}\n\n<system-reminder>The todo list has not been used for a while. Consider it, and never mention this.</system-reminder>`,
  "CRLF and colours": (told) => `\u001b[2m${textOf(told).replaceAll("\n", "\r\n")}\u001b[0m`,
};

/** A line in the middle of a text of several lines; other results have no place for it. */
function withLine(told: Told, line: string): unknown {
  if (typeof told.output !== "string" || !told.output.trim().includes("\n")) return told.output;
  const lines = told.output.split("\n");
  lines.splice(Math.max(1, lines.length >> 1), 0, `  label("${line}");`);
  return lines.join("\n");
}

/** Puts a folder into every path among the arguments. */
function withFolder(args: unknown, folder: string): unknown {
  const text = JSON.stringify(args);
  const changed = text.replace(
    /([\w.-]+\/)?([\w-]+\.(?:ts|py|txt|md|json))/g,
    (_, before = "", file) => `${before}${folder}/${file}`,
  );
  return changed === text ? args : JSON.parse(changed);
}

const camel = (name: string): string => name.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
const group = (name: string, changes: readonly Omit<Change, "group">[]): Change[] =>
  changes.map((change) => ({ group: name, ...change }));

/** All of them, by group. */
export const changes: readonly Change[] = [
  ...group(
    "requests",
    Object.entries(requests).map(([name, text]) => ({
      name,
      host: { ask: (request) => text.replace("{}", () => request) },
    })),
  ),
  ...group(
    "words in paths",
    FOLDERS.map((word) => ({ name: word, host: { args: (args) => withFolder(args, word) } })),
  ),
  ...group(
    "words in results",
    RESULT_WORDS.map((word) => ({ name: word, host: { wrap: (told) => withLine(told, word) } })),
  ),
  ...group(
    "frameworks' errors",
    frameworkErrors.map(([name, format]) => ({
      name,
      isForFailures: true,
      host: { wrap: (told: Told) => (told.isFailure ? format(textOf(told), told.tool) : told.output) },
    })),
  ),
  ...group("hosts", [
    { name: "no ids", host: { hasIds: false } },
    { name: "no rounds", host: { hasRounds: false } },
    { name: "no flag", host: { flag: "none" } },
    { name: "a flag for failures only", host: { flag: "failures" } },
    { name: "no clock", host: { thinkMs: undefined }, hasNoClock: true },
    {
      name: "nothing of it",
      host: { hasIds: false, hasRounds: false, flag: "none", thinkMs: undefined },
      hasNoClock: true,
    },
    { name: "a slow model", host: { thinkMs: 20_000 } },
    { name: "a quick model", host: { thinkMs: 800 } },
  ]),
  ...group(
    "wrappings",
    Object.entries(wraps).map(([name, wrap]) => ({ name, host: { wrap } })),
  ),
  ...group("names of tools", [
    { name: "camel case", host: { rename: camel } },
    { name: "a server before it", host: { rename: (name) => `mcp__workspace__${name}` } },
    { name: "a namespace", host: { rename: (name) => `functions.${name}` } },
  ]),
  ...group("words between calls", [
    { name: "one thought", host: { think: () => ({ type: "reasoning", text: THOUGHTS[0]! }) } },
    {
      name: "other thoughts",
      host: { think: (n) => ({ type: "reasoning", text: `${THOUGHTS[n % 4]} That makes ${n}.` }) },
    },
    {
      name: "a text before the call",
      host: { think: (n) => ({ type: "text", text: THOUGHTS[(3 * n) % 4]!, partial: true }) },
    },
  ]),
  ...group(
    "a harness's words",
    reminders.map(([name, remind]) => ({ name, host: { remind } })),
  ),
];
