import type { Command } from "commander";
import { HOOKED_AGENTS, WIRABLE_AGENTS } from "../../agents/index.ts";
import type { InitOptions } from "../commands/init.ts";
import type { UninstallOptions } from "../commands/uninstall.ts";
import type { ProgramOptions } from "../program.ts";

const NAMES = WIRABLE_AGENTS.map(({ name }) => name);
const WITH_STATUS_LINE = HOOKED_AGENTS.filter(({ hook }) => hook.readStatus).map(({ label }) => label);

const INIT_EXAMPLES = `
At the desk, the default, the agent is told that it goes in circles, and you are
asked where it can ask you. With --unattended calls are refused too, and the run
is ended where the agent lets a hook do that. With --start-over beside it, a run
that does not listen gets one more chance: its files go back to where they were
when you last spoke, and doomloop undo takes that back.

Exit codes: 0 fine, 1 an agent could not be wired, 2 wrong usage.

Examples:
  $ doomloop init
  $ doomloop init ${NAMES.slice(0, 2).join(" ")} --dry-run
  $ doomloop init --unattended --yes`;

const UNINSTALL_EXAMPLES = `
A file that nobody has touched since comes back byte for byte. Of any other, our
hooks are taken out and nothing else.

Exit codes: 0 fine, 1 a file could not be read, 2 wrong usage.

Examples:
  $ doomloop uninstall
  $ doomloop uninstall ${NAMES[1]} --dry-run`;

/** Adds `doomloop init` and `doomloop uninstall`. */
export function addInit(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("init")
    .helpGroup("Coding agents:")
    .summary("guard the coding agents on this machine")
    .description(
      "Puts a hook into the settings of coding agents, which notices when they go in circles.\nShows what it will write, asks, and keeps what was there.",
    )
    .argument("[agents...]", `${NAMES.join(", ")}; default: the installed ones`)
    .optionsGroup("What to write:")
    .option("--unattended", "nobody watches: refuse calls and end runs, too")
    .option("--start-over", "with --unattended: before a run is ended, put its files back and let it begin anew, once")
    .option("--status-line", `${WITH_STATUS_LINE.join(", ")}: show in its status line how the session stands`)
    .option("--dry-run", "show what would be written, and write nothing")
    .option("--yes", "write without asking")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", INIT_EXAMPLES)
    .action(async (agents: string[], given: InitOptions) => onDone(await commands.init(agents, given)));
  program
    .command("uninstall")
    .helpGroup("Coding agents:")
    .summary("take out what init wrote")
    .description("Takes the hook out of the settings of coding agents. Shows what changes, and asks.")
    .argument("[agents...]", "default: all of them")
    .optionsGroup("What to write:")
    .option("--dry-run", "show what would be taken out, and write nothing")
    .option("--yes", "write without asking")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", UNINSTALL_EXAMPLES)
    .action(async (agents: string[], given: UninstallOptions) => onDone(await commands.uninstall(agents, given)));
}
