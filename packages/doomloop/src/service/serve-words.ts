import { CODING_AGENTS } from "../agents/index.ts";
import { SEEN_HEADER } from "./hook-door.ts";

/** The environment variable that holds the token, so that agents' settings need not contain it. */
const VARIABLE = "DOOMLOOP_TOKEN";

/** What `serve` prints when it is ready: how agents find the server. */
export function serveWords(port: number, tokenFile: string): string {
  const agents = CODING_AGENTS.flatMap(({ name, label, http, settings, hook }) =>
    http ? [{ name, label, http, settings, variables: hook?.variables ?? [] }] : [],
  );
  const settings = agents.flatMap(({ name, label, http, variables }) => [
    `${label}, in ${http.file}, as a hook of ${http.events.join(", ")}:`,
    `  ${JSON.stringify(httpHook(port, name, variables))}`,
    "",
  ]);
  return [
    `Answering hooks on http://127.0.0.1:${port}. Ctrl-C ends.`,
    "",
    ...settings,
    "If nobody is watching, add ?mode=unattended to the address. Calls may then be refused, and runs ended.",
    "Start the agent with the token in its environment:",
    `  ${VARIABLE}="$(cat '${tokenFile}')" ${agents[0]?.settings?.program}`,
    "",
  ].join("\n");
}

/** The settings of one hook. */
function httpHook(port: number, name: string, variables: readonly string[]): object {
  const seen = variables.map((variable) => `$${variable}`).join(",");
  return {
    type: "http",
    url: `http://127.0.0.1:${port}/hook/${name}`,
    timeout: 5,
    headers: { Authorization: `Bearer $${VARIABLE}`, ...(seen !== "" && { [SEEN_HEADER]: seen }) },
    allowedEnvVars: [VARIABLE, ...variables],
  };
}
