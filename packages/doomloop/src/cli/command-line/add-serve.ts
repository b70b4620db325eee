import { type Command, InvalidArgumentError } from "commander";
import { CODING_AGENTS } from "../../agents/index.ts";
import type { ServeOptions } from "../commands/serve.ts";
import type { ProgramOptions } from "../program.ts";

const AGENTS = CODING_AGENTS.filter(({ http }) => http).map(({ label }) => label);

const EXAMPLES = `
It listens on 127.0.0.1 only and answers whoever shows its token, which lies in
a file that only you can read. Agents whose hooks are programs need no server.
Both may be used side by side.

Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage or a port in use.

Examples:
  $ doomloop serve
  $ doomloop serve --port 5050`;

/** Adds `doomloop serve`. */
export function addServe(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("serve")
    .helpGroup("Watch live:")
    .summary("answer hooks of coding agents over HTTP")
    .description(
      `Answers the hooks of agents that can ask over HTTP (${AGENTS.join(", ")}), without a process an event.`,
    )
    .optionsGroup("Server:")
    .option("--port <number>", "the port to listen on, 0 for any", portNumber, 4177)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (given: ServeOptions) => onDone(await commands.serve(given)));
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new InvalidArgumentError("0 to 65535 is required.");
}
