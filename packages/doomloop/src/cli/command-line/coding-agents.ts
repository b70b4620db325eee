import { type Command, Option } from "commander";
import { HOOKED_AGENTS, WIRABLE_AGENTS } from "../../agents/index.ts";
import type { AllowOptions } from "../commands/allow.ts";
import type { InitOptions } from "../commands/init.ts";
import type { LogOptions, PauseOptions, StatusOptions } from "../commands/resident.ts";
import type { UninstallOptions } from "../commands/uninstall.ts";
import type { ProgramOptions } from "../program.ts";
import { collect } from "./shared-options.ts";

const NAMES = WIRABLE_AGENTS.map(({ name }) => name);
const WITH_STATUS_LINE = HOOKED_AGENTS.filter(({ hook }) => hook.readStatus).map(({ label }) => label);

const INIT_EXAMPLES = `
With somebody watching, the agent is warned when it goes in circles, and you are
asked before a call is refused, if the agent can ask. With nobody watching (as
claude -p reports it, or with --unattended), calls are refused and the run is
ended, if the agent lets a hook do that. With --start-over, a run that does not
listen is first told to begin again, once for each prompt. Its files stay as
they are. What you chose in an earlier init stays.

Exit codes: 0 fine, 1 an agent could not be wired, 2 wrong usage.

Examples:
  $ doomloop init
  $ doomloop init ${NAMES.slice(0, 2).join(" ")} --dry-run
  $ doomloop init --unattended --yes
  $ doomloop init --opinion-url http://127.0.0.1:11434/v1 --opinion-model qwen3`;

const UNINSTALL_EXAMPLES = `
Our hooks are known by their commands. Everything else in the files stays as
it is, comments too, but lists of hooks that are empty go.

Exit codes: 0 fine, 1 a file could not be read, 2 wrong usage.

Examples:
  $ doomloop uninstall
  $ doomloop uninstall ${NAMES[1]} --dry-run`;

/** Adds `doomloop init` and `doomloop uninstall`. */
export function addInit(program: Command, { streams, onDone }: ProgramOptions): void {
  program
    .command("init")
    .helpGroup("Coding agents:")
    .summary("guard the coding agents on this machine")
    .description(
      "Adds a hook to coding agents that notices when they go in circles.\nSays what it will write, asks first, and keeps your own settings.",
    )
    .argument("[agents...]", `${NAMES.join(", ")}; default: the installed ones`)
    .optionsGroup("What to write:")
    .option("--unattended", "nobody is watching: also refuse calls and end runs")
    .option("--attended", "somebody is watching, whatever the agent reports: only messages and questions")
    .option("--start-over", "before ending a run, tell it once to start over")
    .option("--no-start-over", "turn --start-over off again")
    .option("--status-line", `${WITH_STATUS_LINE.join(", ")}: show the state of the session in its status line`)
    .option("--notify <command>", "run this when a run is ended or told to start over; empty: run nothing")
    .option("--dry-run", "say what would be written, and write nothing")
    .option("--yes", "write without asking")
    .optionsGroup("Second opinion:")
    .option(
      "--opinion-url <url>",
      "where rules cannot tell, ask this endpoint (OpenAI's chat completions); none: nobody",
    )
    .option("--opinion-model <name>", "the model to ask; its key is taken from DOOMLOOP_OPINION_KEY")
    .addOption(
      new Option(
        "--opinion-shows <kind>",
        "text (short masked excerpts) or shapes (no text of the session); default: text",
      ).choices(["text", "shapes"]),
    )
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", INIT_EXAMPLES)
    .action(async (agents: string[], given: InitOptions) =>
      onDone(await (await import("../commands/init.ts")).init(agents, given, streams)),
    );
  program
    .command("uninstall")
    .helpGroup("Coding agents:")
    .summary("remove what init wrote")
    .description("Removes the hook from the settings of coding agents. Says what will change, and asks first.")
    .argument("[agents...]", "default: all of them")
    .optionsGroup("What to write:")
    .option("--dry-run", "say what would be removed, and write nothing")
    .option("--yes", "write without asking")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", UNINSTALL_EXAMPLES)
    .action(async (agents: string[], given: UninstallOptions) =>
      onDone(await (await import("../commands/uninstall.ts")).uninstall(agents, given, streams)),
    );
}

const DOCTOR_EXAMPLES = `
It runs the exact commands in the agents' settings, and leaves nothing behind.

Exit codes: 0 everything works, 1 something does not, 2 wrong usage.

Examples:
  $ doomloop doctor
  $ doomloop doctor ${WIRABLE_AGENTS[1]?.name}`;

/** Adds `doomloop doctor`. */
export function addDoctor(program: Command, { streams, onDone, runHook }: ProgramOptions): void {
  program
    .command("doctor")
    .helpGroup("Coding agents:")
    .summary("check that the hooks work, and how fast they are")
    .description(
      "Plays a loop through the hook of each wired agent, and shows what the hook says and how long it takes.",
    )
    .argument("[agents...]", "default: all that init has wired")
    .optionsGroup("Other:")
    .option("--json", "print one JSON object per agent")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", DOCTOR_EXAMPLES)
    .action(async (agents: string[], given: StatusOptions) =>
      onDone(await (await import("../commands/doctor.ts")).doctor(agents, given, streams, runHook)),
    );
}

const ALLOW_EXAMPLES = `
This applies to the current project, and to agents that work in it. After you
dismiss three loops of one tool, doomloop suggests a rule.

Exit codes: 0 fine, 1 internal error, 2 wrong usage.

Examples:
  $ doomloop allow
  $ doomloop allow --tool mcp__ci__status
  $ doomloop allow --project --undo`;

/** Adds `doomloop allow`. */
export function addAllow(program: Command, { streams, onDone }: ProgramOptions): void {
  program
    .command("allow")
    .helpGroup("Coding agents:")
    .summary("dismiss a false alarm, and go on")
    .description("Dismisses the latest loop in this project: the agent is not told about it again.")
    .optionsGroup("What to allow:")
    .option("--tool <name>", "ignore calls of this tool in this project; may be repeated", collect)
    .addOption(
      new Option("--as <rule>", "with --tool: poll (it is polling), patience (allow more repeats), ignore").choices([
        "poll",
        "patience",
        "ignore",
      ]),
    )
    .option("--project", "turn hooks off in this project")
    .option("--undo", "undo --tool or --project; without either, everything that was allowed here")
    .option("--list", "print what is allowed in this project")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", ALLOW_EXAMPLES)
    .action(async (given: AllowOptions) => onDone(await (await import("../commands/allow.ts")).allow(given, streams)));
}

const LOG_EXAMPLES = `
Examples:
  $ doomloop log
  $ doomloop log --last 7d --here
  $ doomloop log --last 30d --json`;

const MODES = `
Modes:
  auto        what you told init, else what the agent reports (claude -p reports
              that nobody is watching), else attended
  attended    somebody is watching: the agent is told, and you may be asked
  unattended  nobody is watching: calls in a loop are refused, and runs are
              ended
  off         hooks are off in this project

Examples:
  $ doomloop mode
  $ doomloop mode unattended`;

/** Adds the commands about the guard that watches now: `status`, `log`, `pause`, `resume`, `mode` and `stop`. */
export function addResident(program: Command, { streams, onDone }: ProgramOptions): void {
  const add = (name: string, summary: string, description: string): Command =>
    program
      .command(name)
      .helpGroup("Watch live:")
      .summary(summary)
      .description(description)
      .helpOption("-h, --help", "print this help");
  add(
    "status",
    "show whether the guard is running, and the settings here",
    "Shows whether the guard is running, how often hooks acted today, and the settings of this project.\nOne process answers the hooks of all your coding agents. It starts with the first event, and ends after 30 idle minutes.",
  )
    .option("--json", "print one JSON object")
    .action(async (given: StatusOptions) =>
      onDone(await (await import("../commands/resident.ts")).status(given, streams)),
    );
  add("log", "show what hooks said", "Shows what hooks said today, what the agent did next, and how to undo it.")
    .option("--last <duration>", "the last 30min, 12h, 7d, 2w or 3mo; default: today")
    .option("--here", "only in this project")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", LOG_EXAMPLES)
    .action(async (given: LogOptions) => onDone(await (await import("../commands/resident.ts")).log(given, streams)));
  add(
    "pause",
    "turn all hooks off for a while",
    "Turns all hooks off. For one run, put DOOMLOOP=off before its command.",
  )
    .option("--for <duration>", "30min, 2h, 7d; default: until you run doomloop resume")
    .action(async (given: PauseOptions) =>
      onDone(await (await import("../commands/resident.ts")).pause(given, streams)),
    );
  add("resume", "turn hooks on again", "Turns hooks on again after a pause.").action(async () =>
    onDone(await (await import("../commands/resident.ts")).resume(streams)),
  );
  add(
    "mode",
    "set whether somebody is watching the agents here",
    "Sets whether somebody is watching the agents in this project. Without an argument, shows the setting.",
  )
    .argument("[mode]", "auto, attended, unattended or off")
    .addHelpText("after", MODES)
    .action(async (given: string | undefined) =>
      onDone(await (await import("../commands/resident.ts")).mode(given, streams)),
    );
  add("stop", "end the resident guard", "Ends the resident guard. The next event of an agent starts it again.").action(
    async () => onDone(await (await import("../commands/resident.ts")).stop(streams)),
  );
}
