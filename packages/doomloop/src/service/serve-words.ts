import { CLAUDE_EVENTS } from "../agents/claude-code/claude-events.ts";
import type { HookHost } from "../agents/hook/dialect.ts";
import { ENTRY_HEADER } from "./hook-server.ts";

/** The variable of the environment from which agents take the token, so that it does not stand in their settings. */
const VARIABLE = "DOOMLOOP_TOKEN";
/** Here Claude Code says whether a program has started it: then nobody can be asked. */
const ENTRY = "CLAUDE_CODE_ENTRYPOINT";

/** The agents that can ask a hook over HTTP. */
const HOSTS: readonly { readonly host: HookHost; readonly name: string; readonly file: string }[] = [
  { host: "claude-code", name: "Claude Code", file: "~/.claude/settings.json" },
  { host: "qwen-code", name: "Qwen Code", file: "~/.qwen/settings.json" },
];

/** The settings of one hook. */
function httpHook(port: number, host: HookHost): object {
  const tells = host === "claude-code";
  return {
    type: "http",
    url: `http://127.0.0.1:${port}/hook/${host}`,
    timeout: 5,
    headers: { Authorization: `Bearer $${VARIABLE}`, ...(tells && { [ENTRY_HEADER]: `$${ENTRY}` }) },
    allowedEnvVars: [VARIABLE, ...(tells ? [ENTRY] : [])],
  };
}

/** What is said when the server is there: how agents are told of it. */
export function serveWords(port: number, tokenFile: string): string {
  const settings = HOSTS.flatMap(({ host, name, file }) => [
    `${name}, in ${file}, as a hook of ${CLAUDE_EVENTS.join(", ")}:`,
    `  ${JSON.stringify(httpHook(port, host))}`,
    "",
  ]);
  return [
    `Answering hooks on http://127.0.0.1:${port}. Ctrl-C ends.`,
    "",
    ...settings,
    "Where nobody watches, add ?unattended=1 to the address: calls may then be refused, and runs ended.",
    "Start the agent with the token in its environment:",
    `  ${VARIABLE}="$(cat '${tokenFile}')" claude`,
    "",
  ].join("\n");
}
