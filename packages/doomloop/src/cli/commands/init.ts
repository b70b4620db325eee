import { stateFaults } from "../../agents/doctor/state-faults.ts";
import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { currentSetting, findProgram, shownPath } from "../../agents/settings/agent-place.ts";
import type { OwnFile, SharedFile } from "../../agents/settings/agent-settings.ts";
import { choiceIn, type HookChoice, installedHook, isInProject } from "../../agents/settings/hook-command.ts";
import { type AgentPlan, chooseAgents, planAgent, strictJsonFault } from "../../agents/settings/plan-agent.ts";
import { carryOutWiring } from "../../agents/settings/settings-change.ts";
import { addHooks } from "../../agents/settings/shared-hooks.ts";
import { noteProgram, wiredFiles } from "../../agents/settings/wired-files.ts";
import { saveNotify } from "../../service/notify.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { changeSummary } from "../reporters/change-summary.ts";
import { wrapText } from "../terminal/columns.ts";
import { type CommandStreams, confirm, widthFor } from "../terminal/output.ts";
import { createStyle, type Style } from "../terminal/style.ts";
import { chooseOpinion, keepOpinion, type OpinionChoice, type OpinionOptions } from "./init-opinion.ts";

export interface InitOptions extends OpinionOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly unattended?: boolean;
  readonly attended?: boolean;
  readonly startOver?: boolean;
  readonly statusLine?: boolean;
  /** A command to run when a run is ended. Empty: none any more. */
  readonly notify?: string;
}

/** Wires the hook into coding agents, after showing what that changes. Returns the exit code. */
export async function init(names: readonly string[], options: InitOptions, streams: CommandStreams): Promise<number> {
  const { place, state, folder } = currentSetting();
  const agents = chooseAgents(names, place, folder);
  if (agents.length === 0)
    throw new UsageError(`no coding agent found here; name one: doomloop init ${WIRABLE_AGENTS[0]?.name}`);
  const hook = installedHook();
  if (options.unattended === true && options.attended === true)
    throw new UsageError("--attended and --unattended cannot be combined");
  const opinion = chooseOpinion(options, state, process.env);
  const statusLine = options.statusLine === true;
  const noted = wiredFiles(state);
  const plans = agents.map((agent) => {
    const earlier = noted.find(({ host }) => host === agent.name)?.commands[0];
    return planAgent(agent, { place, hook, state, statusLine, ...choiceOf(options, earlier) });
  });
  const width = widthFor(streams);
  const look = {
    width,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    shown: (path: string) => shownPath(path, place),
  };
  for (const plan of plans) await streams.output.write(planText(plan, look));

  const open = plans.filter(({ changes }) => changes.length > 0);
  const say = (text: string): boolean => streams.messages.write(`${wrapText(text, width)}\n`);
  const unread = open.flatMap(({ agent, changes }) =>
    changes.map(({ file, after }) => ({ file, fault: strictJsonFault(agent, after?.toString() ?? "") })),
  );
  for (const { file, fault } of unread) if (fault !== undefined) say(`${look.shown(file.path)}: ${fault}.`);
  const isFaulty = plans.some(({ faults }) => faults.length > 0) || unread.some(({ fault }) => fault !== undefined);
  const tellNotes = (): void => {
    for (const { agent, notes } of plans) for (const note of notes) say(`${agent.label}: ${note}.`);
  };
  const notePrograms = (): void => {
    for (const { name, settings, halt } of agents) {
      const program = halt && findProgram(settings.program, place, folder);
      if (program !== undefined) noteProgram(state, name, program);
    }
  };
  if (open.length > 0 && isInProject(hook)) say(aboutProject(look.shown(hook.folder)));
  if (open.length === 0 || options.dryRun === true) {
    if (options.dryRun !== true) {
      keepChoices(options, opinion, state, say);
      notePrograms();
    }
    tellNotes();
    return isFaulty ? 1 : 0;
  }
  if (options.yes !== true) {
    if (streams.input.isTTY !== true) throw new UsageError("this is not a terminal; use --yes to write without asking");
    if (!(await confirm("Write this?"))) {
      streams.messages.write("Nothing was written.\n");
      return isFaulty ? 1 : 0;
    }
  }
  checkState(state);
  keepChoices(options, opinion, state, say);
  const wired = open.filter(({ agent, commands, changes }) => {
    try {
      for (const change of changes) carryOutWiring(change, state, { host: agent.name, commands });
      return true;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      say(`doomloop: ${agent.label}: ${printable(error.message)}`);
      return false;
    }
  });
  notePrograms();
  if (wired.length > 0) say(`Wired: ${wired.map(({ agent }) => agent.label).join(", ")}.`);
  tellNotes();
  for (const { agent } of wired) for (const note of agent.settings.notes(place)) say(`${agent.label}: ${note}`);
  if (wired.length > 0) say("doomloop doctor tests it, doomloop uninstall removes it.");
  return isFaulty || wired.length < open.length ? 1 : 0;
}

function aboutProject(folder: string): string {
  return `The hook is inside a project: ${folder}. It stops when that folder is moved or removed, and an agent that works there can change what it does. Better: npm install --global doomloop, then doomloop init.`;
}

function checkState(state: string): void {
  const [fault] = stateFaults(state);
  if (fault !== undefined) throw new UsageError(fault);
}

/** Keeps what is not in the settings of an agent. */
function keepChoices(
  options: InitOptions,
  opinion: OpinionChoice,
  state: string,
  say: (text: string) => unknown,
): void {
  keepNotify(options, state, say);
  if (opinion !== undefined) checkState(state);
  keepOpinion(opinion, state, say);
}

/** Keeps the command that is run when a run is ended, and says so. */
function keepNotify({ notify }: InitOptions, state: string, say: (text: string) => unknown): void {
  if (notify === undefined) return;
  checkState(state);
  saveNotify(state, notify);
  const command = printable(notify.trim());
  say(
    command === ""
      ? "No command will run when a run is ended or told to start over."
      : `When a run is ended or told to start over, this command runs: ${command}`,
  );
}

/** What was asked for now, and for the rest what was chosen when the agent was wired before. */
function choiceOf({ unattended, attended, startOver }: InitOptions, earlier: string | undefined): HookChoice {
  const before = choiceIn(earlier ?? "");
  const mode = unattended === true ? "unattended" : attended === true ? "attended" : before.mode;
  const startsOver = startOver ?? (before.startsOver && mode !== "attended");
  if (startsOver && mode === "attended") throw new UsageError("--start-over and --attended cannot be combined");
  return { mode, startsOver };
}

interface Look {
  readonly width: number;
  readonly style: Style;
  shown(path: string): string;
}

/** What will be written for an agent, or why nothing can be. */
function planText({ agent, changes, faults }: AgentPlan, { width, style, shown }: Look): string {
  const label = style.strong(agent.label);
  if (faults.length + changes.length === 0) return `${label}: already wired\n`;
  return [
    changes.length === 0 ? label : `${label}: ${changeSummary(changes, shown)}`,
    ...faults.flatMap(({ reason, file }) => [
      wrapText(style.alarm(printable(reason)), width),
      ...(file === undefined ? [] : byHand(file)),
    ]),
    ...(faults.length > 0 ? ["\n"] : [""]),
  ].join("\n");
}

/** What somebody can add with an editor. */
function byHand(file: SharedFile | OwnFile): readonly string[] {
  const text = file.type === "own" ? file.text : addHooks("", file)!;
  return ["Add this by hand:", ...text.trimEnd().split("\n").map(printable)];
}
