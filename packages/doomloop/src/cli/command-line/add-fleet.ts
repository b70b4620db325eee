import { type Command, InvalidArgumentError, Option } from "commander";
import type { FleetTopOptions } from "../commands/fleet-top.ts";
import { CLIENT_NAMES } from "../fleet/redis-client.ts";
import type { ProgramOptions } from "../program.ts";

const TOP_EXAMPLES = `
An address in the environment is not seen by other users of the machine; one on the command line is.

Exit codes: 0 fine, 1 a fault of doomloop, 2 wrong usage or a store that cannot be reached.

Examples:
  $ doomloop fleet top --url redis://localhost --tenant research --key-file fleet.key
  $ doomloop fleet top --interval 10
  $ doomloop fleet top | mail -s "stuck" operators`;

/** Adds `doomloop fleet`, and the commands below it. */
export function addFleet(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("fleet")
    .helpGroup("Watch live:")
    .summary("look at a swarm that shares a store")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .command("top")
    .summary("show who is stuck on what, live")
    .description(
      "Shows the dead ends of a swarm: which calls get nobody further, and who makes them.\nLive on a terminal; once, as plain lines, anywhere else. It is no worker: nothing is counted for it.",
    )
    .optionsGroup("Store:")
    .addOption(new Option("--url <url>", "address of Redis or Valkey").env("DOOMLOOP_FLEET_URL"))
    .option("--tenant <name>", "the swarm, where several share the store")
    .option("--key-file <file>", "a file that holds the key of the deployment")
    .addOption(
      new Option(
        "--client <package>",
        "the Redis client of your project; default: the first that is installed",
      ).choices(CLIENT_NAMES),
    )
    .optionsGroup("Output:")
    .option("--interval <seconds>", "time between two looks, 0.2 to 3600", seconds, 2)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", TOP_EXAMPLES)
    .action(async (given: FleetTopOptions) => onDone(await commands.fleetTop(given)));
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 0.2 && value <= 3600) return value;
  throw new InvalidArgumentError("0.2 to 3600 is required.");
}
