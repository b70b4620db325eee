import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { FleetMode } from "../../core/fleet-view.ts";
import { CLIENT_NAMES } from "../../fleet/inspect/connect-redis.ts";
import type { FleetAddress } from "../../fleet/inspect/open-store.ts";
import type { FleetExplainOptions } from "../commands/fleet-explain.ts";
import type { FleetTopOptions } from "../commands/fleet-top.ts";
import type { ProgramOptions } from "../program.ts";

const MODES = ["on", "shadow", "off"] as const satisfies readonly FleetMode[];

const NOTES = `
Other users of this machine can see the command line. They cannot see an address
in the environment.

Exit codes: 0 fine, 1 internal error, 2 wrong usage, or the store cannot be
reached or read.
`;

const TOP_EXAMPLES = `${NOTES}
Examples:
  $ doomloop fleet top --url redis://localhost --tenant research
  $ doomloop fleet top --interval 10
  $ doomloop fleet top | mail -s "stuck" operators
  $ doomloop fleet top --json --url rediss://me@store.example:6380 --ca ca.crt`;

const EXPLAIN_EXAMPLES = `
If your guards have a rule for the tool (identity, changes), they may store its
calls under other names. This command does not find those.
${NOTES}
Examples:
  $ doomloop fleet explain '{"tool":"fetch","args":{"id":7}}' --key-file key
  $ doomloop fleet explain - --key-file key < call.json`;

const SWITCH_EXAMPLES = `${NOTES}
Examples:
  $ doomloop fleet switch off --tenant research
  $ doomloop fleet switch on --tenant research`;

/** Adds `doomloop fleet` and its subcommands. */
export function addFleet(program: Command, options: ProgramOptions): void {
  const fleet = program
    .command("fleet")
    .helpGroup("Watch live:")
    .summary("watch and switch a swarm that shares a store")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false);
  addTop(fleet, options);
  addExplain(fleet, options);
  addSwitch(fleet, options);
}

function addTop(fleet: Command, { commands, onDone }: ProgramOptions): void {
  const command = fleet
    .command("top")
    .summary("show the dead ends of a swarm, live")
    .description(
      "Shows the dead ends of a swarm: calls that help no worker, how often they were made and by how many processes.\nLive on a terminal. Anywhere else it prints plain lines once. It only reads, and needs no key.",
    );
  addStore(command)
    .optionsGroup("Output:")
    .option("--interval <seconds>", "time between two updates, 0.2 to 3600", seconds, 2)
    .option("--json", "print the state once, as one line of JSON")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", TOP_EXAMPLES)
    .action(async (given: FleetTopOptions) => onDone(await commands.fleetTop(given)));
}

function addExplain(fleet: Command, { commands, onDone }: ProgramOptions): void {
  const command = fleet
    .command("explain")
    .summary("say whether a call is a dead end")
    .description(
      "Says whether a call is a dead end of a swarm, a suspect, or unknown, and why.\nThe call is not made. The store only sees a name derived from it with the workers' key.",
    )
    .argument("<call>", "a call as JSON: tool, args, and readOnly if the tool declares it; - reads standard input")
    .optionsGroup("Key:")
    .option("--key-file <file>", "a file with the workers' key")
    .optionsGroup("Call:")
    .option("--world <name>", "the world of the workers, for calls about files, commands and local services");
  addStore(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXPLAIN_EXAMPLES)
    .action(async (call: string, given: FleetExplainOptions) => onDone(await commands.fleetExplain(call, given)));
}

function addSwitch(fleet: Command, { commands, onDone }: ProgramOptions): void {
  const command = fleet
    .command("switch")
    .summary("let all guards of a swarm act, only report, or stay silent")
    .description(
      "Switches a whole swarm. on: guards act. shadow: they report and do nothing. off: they stay silent.\nWorkers follow within seconds, and stay that way while the store is unavailable. Needs an operator's rights.",
    )
    .addArgument(new Argument("<mode>", "what guards may do").choices(MODES));
  addStore(command)
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", SWITCH_EXAMPLES)
    .action(async (mode: FleetMode, given: FleetAddress) => onDone(await commands.fleetSwitch(mode, given)));
}

function addStore(command: Command): Command {
  return command
    .optionsGroup("Store:")
    .addOption(new Option("--url <url>", "address of Redis or Valkey").env("DOOMLOOP_FLEET_URL"))
    .option("--cluster", "the address is one server of a Cluster")
    .option("--ca <file>", "certificate of your own authority, for rediss:// addresses")
    .option("--tenant <name>", "the swarm, if several share the store")
    .addOption(
      new Option("--client <package>", "your project's Redis client; default: the first one installed").choices(
        CLIENT_NAMES,
      ),
    );
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 0.2 && value <= 3600) return value;
  throw new InvalidArgumentError("0.2 to 3600 is required.");
}
