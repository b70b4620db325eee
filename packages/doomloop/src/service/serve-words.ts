import type { HttpHook } from "../agents/coding-agent.ts";
import { CODING_AGENTS } from "../agents/index.ts";

/** The environment variable that holds the token, so that agents' settings need not contain it. */
const VARIABLE = "DOOMLOOP_TOKEN";

/** What `serve` prints when it is ready: how agents find the server. */
export function serveWords(port: number, tokenFile: string): string {
  const agents = CODING_AGENTS.flatMap(({ name, label, http, settings }) =>
    http ? [{ name, label, http, settings }] : [],
  );
  const settings = agents.flatMap(({ name, label, http }) => [
    `${label}, in ${http.file}, as a hook of ${http.events.join(", ")}:`,
    `  ${JSON.stringify(httpHook(port, name, http))}`,
    "",
  ]);
  return [
    `Answering hooks on http://127.0.0.1:${port}. Ctrl-C ends.`,
    "",
    ...settings,
    "Where nobody watches, add ?unattended=1 to the address: calls may then be refused, and runs ended.",
    "Start the agent with the token in its environment:",
    `  ${VARIABLE}="$(cat '${tokenFile}')" ${agents[0]?.settings?.program}`,
    "",
  ].join("\n");
}

/** The settings of one hook. */
function httpHook(port: number, name: string, { headers = {} }: HttpHook): object {
  const told = Object.entries(headers).map(([header, variable]) => [header, `$${variable}`]);
  return {
    type: "http",
    url: `http://127.0.0.1:${port}/hook/${name}`,
    timeout: 5,
    headers: { Authorization: `Bearer $${VARIABLE}`, ...Object.fromEntries(told) },
    allowedEnvVars: [VARIABLE, ...Object.values(headers)],
  };
}
