import { type Command, Option } from "commander";
import { HOOKED_AGENTS, WIRABLE_AGENTS } from "../../agents/index.ts";
import type { AllowOptions } from "../commands/allow.ts";
import type { InitOptions } from "../commands/init.ts";
import type { LogOptions, PauseOptions } from "../commands/resident.ts";
import type { UninstallOptions } from "../commands/uninstall.ts";
import type { ProgramOptions } from "../program.ts";
import { collect } from "./shared-options.ts";

const NAMES = WIRABLE_AGENTS.map(({ name }) => name);
const WITH_STATUS_LINE = HOOKED_AGENTS.filter(({ hook }) => hook.readStatus).map(({ label }) => label);

const INIT_EXAMPLES = `
While somebody watches, the agent is told that it goes in circles, and you are
asked where it can ask you. Where the agent says that nobody does (claude -p and
its like), or with --unattended, calls are refused too, and the run is ended
where the agent lets a hook do that. With --start-over, a run that does not
listen gets one more chance: what it changed since its tests began to fail goes
back, and doomloop undo takes that back. What was chosen before stays.

Exit codes: 0 fine, 1 an agent could not be wired, 2 wrong usage.

Examples:
  $ doomloop init
  $ doomloop init ${NAMES.slice(0, 2).join(" ")} --dry-run
  $ doomloop init --unattended --yes`;

const UNINSTALL_EXAMPLES = `
A file that nobody has touched since comes back byte for byte. From any
other, only our hooks are removed.

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
    .option("--attended", "somebody watches, whatever the agent says: words and questions only")
    .option("--start-over", "before a run is ended, put its files back and let it start again, once")
    .option("--no-start-over", "do not, although it was chosen before")
    .option("--status-line", `${WITH_STATUS_LINE.join(", ")}: show in its status line how the session stands`)
    .option("--notify <command>", "run this when a run is ended or starts over; empty: nothing any more")
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

const DOCTOR_EXAMPLES = `
It runs the exact commands in the agents' settings, and leaves nothing behind.

Exit codes: 0 all of it works, 1 something does not, 2 wrong usage.

Examples:
  $ doomloop doctor
  $ doomloop doctor ${WIRABLE_AGENTS[1]?.name}`;

/** Adds `doomloop doctor`. */
export function addDoctor(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("doctor")
    .helpGroup("Coding agents:")
    .summary("prove that the hooks work, and how fast they are")
    .description(
      "Plays a loop through the hook of each wired agent, and shows what the hook says and how long it takes.",
    )
    .argument("[agents...]", "default: all that init has wired")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", DOCTOR_EXAMPLES)
    .action(async (agents: string[]) => onDone(await commands.doctor(agents)));
}

const ALLOW_EXAMPLES = `
It holds for the project that you are in, and for agents that work there. After
the third time for one tool, it proposes a rule.

Exit codes: 0 fine, 1 internal error, 2 wrong usage.

Examples:
  $ doomloop allow
  $ doomloop allow --tool mcp__ci__status
  $ doomloop allow --project --undo`;

/** Adds `doomloop allow`. */
export function addAllow(program: Command, { commands, onDone }: ProgramOptions): void {
  program
    .command("allow")
    .helpGroup("Coding agents:")
    .summary("say that it is not a loop, and go on")
    .description("Dismisses the latest loop in this project: the agent is not told about it again.")
    .optionsGroup("What to allow:")
    .option("--tool <name>", "calls of this tool do not count in this project; may be repeated", collect)
    .addOption(
      new Option("--as <rule>", "with --tool: poll (its calls wait), patience (they count later), ignore").choices([
        "poll",
        "patience",
        "ignore",
      ]),
    )
    .option("--project", "hooks say nothing in this project")
    .option("--undo", "take back --tool or --project; without either, everything that was allowed here")
    .option("--list", "print what is allowed in this project")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", ALLOW_EXAMPLES)
    .action(async (given: AllowOptions) => onDone(await commands.allow(given)));
}

const LOG_EXAMPLES = `
Examples:
  $ doomloop log
  $ doomloop log --last 7d --here
  $ doomloop log --last 30d --json`;

const MODES = `
Modes:
  auto        as you told init, or else as the agent says (claude -p says that
              nobody watches); if neither says anything, somebody watches
  attended    somebody watches: the agent is told, and you may be asked
  unattended  nobody watches: calls of a loop are refused, and runs are ended
  off         hooks say nothing in this project

Examples:
  $ doomloop mode
  $ doomloop mode unattended`;

/** Adds the commands about the guard that watches now: `status`, `log`, `pause`, `resume`, `mode` and `stop`. */
export function addResident(program: Command, { commands, onDone }: ProgramOptions): void {
  const add = (name: string, summary: string, description: string): Command =>
    program
      .command(name)
      .helpGroup("Watch live:")
      .summary(summary)
      .description(description)
      .helpOption("-h, --help", "print this help");
  add(
    "status",
    "show whether the guard runs, and the settings here",
    "Shows whether the guard is running, how often hooks have spoken today, and the settings of this project.\nOne process answers the hooks of all your coding agents. It starts with the first event, and ends after 30 idle minutes.",
  ).action(async () => onDone(await commands.status()));
  add("log", "show what hooks said", "Shows what hooks said today, what the agent did next, and how to undo it.")
    .option("--last <duration>", "the last 30min, 12h, 7d, 2w or 3mo; default: today")
    .option("--here", "only in this project")
    .option("--json", "one JSON object a line")
    .addHelpText("after", LOG_EXAMPLES)
    .action(async (given: LogOptions) => onDone(await commands.log(given)));
  add(
    "pause",
    "keep all hooks silent for a while",
    "Keeps all hooks silent. For one run: DOOMLOOP=off before its command.",
  )
    .option("--for <duration>", "30min, 2h, 7d; default: until doomloop resume")
    .action(async (given: PauseOptions) => onDone(await commands.pause(given)));
  add("resume", "let hooks speak again", "Lets hooks speak again after a pause.").action(async () =>
    onDone(await commands.resume()),
  );
  add(
    "mode",
    "say whether somebody watches the agents here",
    "Says whether somebody watches the agents that work in this project. Without an argument, shows it.",
  )
    .argument("[mode]", "auto, attended, unattended or off")
    .addHelpText("after", MODES)
    .action(async (given: string | undefined) => onDone(await commands.mode(given)));
  add("stop", "end the resident guard", "Ends the resident guard. The next event of an agent starts it again.").action(
    async () => onDone(await commands.stop()),
  );
}
