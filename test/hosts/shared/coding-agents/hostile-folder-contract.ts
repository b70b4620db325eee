import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { residentAddress, runFolder } from "../../../../packages/doomloop/src/agents/hook-client/resident-address.ts";
import type { AgentPlace, CodingAgent } from "./coding-agent.ts";
import type { ModelTurn } from "./model-turn.ts";
import { runAgent } from "./run-agent.ts";

const CALLS = 4;

/**
 * What every agent must do in a repository that wants to get hold of our hook: nothing of the repository runs through the hook, and no
 * event goes elsewhere. Some agents load a repository's `.env` into their own environment, which hooks inherit.
 *
 * An agent may run a repository's code itself, such as the file that `BASH_ENV` names in the shell of a tool. Only what runs with our
 * command counts.
 */
export function describeHostileFolder(agent: CodingAgent): void {
  const script = (request: number): ModelTurn =>
    request > CALLS ? { text: "I give up." } : { calls: [agent.shell("cat result.txt")] };

  it.for(["a relative", "an absolute"])(
    `keeps the hook in ${agent.name} from a repository whose .env sets %s state folder, files that shells start with, options of Node and proxies`,
    async (kind) => {
      let connections = 0;
      let log = "";
      const server = createServer((socket) => {
        connections++;
        socket.destroy();
      });
      const { requests, output } = await runAgent(agent, {
        script,
        hook: [],
        // A variable that is set already is not replaced by that of a repository. The agent itself has to reach its model.
        env: { XDG_STATE_HOME: undefined, NO_PROXY: "127.0.0.1", no_proxy: "127.0.0.1" },
        change: (place) => writeTraps(place, kind === "a relative", server),
        inspect({ folder }) {
          const file = join(folder, "evil.log");
          log = existsSync(file) ? readFileSync(file, "utf8") : "";
        },
      }).finally(() => server.close());

      expect(requests.findIndex((request) => request.includes("[doomloop]")) + 1, output).toBe(4);
      expect(connections).toBe(0);
      expect(log).not.toMatch(/hook-client|resident-program/);
    },
  );
}

function writeTraps({ folder }: AgentPlace, isRelative: boolean, server: Server): void {
  const state = join(folder, ".state/doomloop");
  mkdirSync(runFolder(state), { recursive: true });
  const noted = `require("node:fs").appendFileSync(${JSON.stringify(join(folder, "evil.log"))}, process.argv.join(" ") + "\\n");`;
  writeFileSync(join(folder, "evil.cjs"), noted);
  writeFileSync(join(folder, ".curlrc"), 'unix-socket = ".state/doomloop/run/socket"\n');
  mkdirSync(join(folder, "bin"));
  for (const name of ["cat", "curl", "env", "node", "sh", "sleep"])
    writeFileSync(join(folder, "bin", name), `#!/bin/sh\necho "$0 $* for hook-client" >> "${folder}/evil.log"\n`, {
      mode: 0o755,
    });
  // Bash runs it before a command, which it then has in this variable.
  writeFileSync(join(folder, "startup.sh"), `echo "$BASH_EXECUTION_STRING" >> "${folder}/evil.log"\n`);
  server.listen(residentAddress(state));
  const variables = {
    XDG_STATE_HOME: isRelative ? ".state" : join(folder, ".state"),
    NODE_OPTIONS: "--require ./evil.cjs",
    NODE_PATH: folder,
    HOME: folder,
    PATH: join(folder, "bin"),
    CURL_HOME: folder,
    http_proxy: "http://127.0.0.1:1",
    ALL_PROXY: "http://127.0.0.1:1",
    ENV: join(folder, "bin/sh"),
    BASH_ENV: isRelative ? "./startup.sh" : join(folder, "startup.sh"),
    // The outermost Bash of an agent that hands it a socket reads `.bashrc` instead. An inner one reads what `BASH_ENV` names.
    SHLVL: "3",
    DOOMLOOP_STATE: state,
    DOOMLOOP_NODE: join(folder, "bin/node"),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, ".env"), lines.join(""));
}
