import { filesWithHooks } from "../../agents/doctor/wired-commands.ts";
import { readAgentEvents } from "../../agents/hook/agent-events.ts";
import { folderRules, type ProjectMode, projectOf, writeRules } from "../../agents/hook/folder-rules.ts";
import { type LogEntry, readLog } from "../../agents/hook/intervention-log.ts";
import { pausedUntil, pause as pauseHooks, resume as resumeHooks } from "../../agents/hook/pause.ts";
import { hasStartFailed } from "../../agents/hook-client/start-resident.ts";
import { CODING_AGENTS, WIRABLE_AGENTS } from "../../agents/index.ts";
import { currentSetting, shownPath } from "../../agents/settings/agent-place.ts";
import { configFor, readConfig } from "../../scan/config.ts";
import { count } from "../../scan/report/words.ts";
import { readOpinion } from "../../service/opinion-setting.ts";
import { type ResidentStatus, residentStatus, stopResident } from "../../service/resident-status.ts";
import { readDuration } from "../../system/duration.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { eventsInWords } from "../reporters/doctor-report.ts";
import { logLines } from "../reporters/log-lines.ts";
import { opinionsInWords } from "../reporters/opinion-words.ts";
import { wrapLines, wrapText } from "../terminal/columns.ts";
import { type CommandStreams, widthFor } from "../terminal/output.ts";
import { createStyle } from "../terminal/style.ts";
import { dateAndTime, timeAgo } from "../terminal/time-ago.ts";
import { rulesInWords } from "./allow.ts";

export interface PauseOptions {
  readonly for?: string;
}

export interface StatusOptions {
  readonly json?: boolean;
}

export interface LogOptions extends StatusOptions {
  readonly last?: string;
  readonly here?: boolean;
}

/** Keeps all hooks of this user silent for a while. Returns the exit code. */
export async function pause(options: PauseOptions, streams: CommandStreams): Promise<number> {
  const { state } = currentSetting();
  const until = options.for === undefined ? undefined : Date.now() + readDuration("--for", options.for).ms;
  pauseHooks(state, until);
  const end = until === undefined ? "until you run doomloop resume" : `until ${clock(until)}`;
  streams.messages.write(`Hooks are off ${end}.\n`);
  return 0;
}

/** Lets hooks speak again. Returns the exit code. */
export async function resume(streams: CommandStreams): Promise<number> {
  const wasPaused = resumeHooks(currentSetting().state, Date.now());
  streams.messages.write(wasPaused ? "Hooks are on again.\n" : "Hooks were not paused.\n");
  return 0;
}

/** Ends the resident guard. The next event of an agent starts it again. Returns the exit code. */
export async function stop(streams: CommandStreams): Promise<number> {
  const status = await stopResident(currentSetting().state);
  streams.messages.write(status === undefined ? "No resident guard is running.\n" : "The resident guard has ended.\n");
  return 0;
}

/** Sets or shows whether runs in this project are watched. Returns the exit code. */
export async function mode(given: string | undefined, streams: CommandStreams): Promise<number> {
  const { state, folder } = currentSetting();
  const rules = folderRules(state, folder);
  if (given !== undefined) {
    const chosen = modeOf(given);
    writeRules(state, projectOf(folder), { ...rules, mode: chosen });
    streams.messages.write(wrapLines(`Mode here: ${modeInWords(chosen)}.\n`, streams.width));
    return 0;
  }
  await streams.output.write(wrapLines(`Mode here: ${modeInWords(rules.mode)}.\n`, streams.width));
  return 0;
}

function modeOf(given: string): ProjectMode | undefined {
  if (given === "auto") return undefined;
  if (given === "attended" || given === "unattended" || given === "off") return given;
  throw new UsageError(`mode: expected auto, attended, unattended or off, got ${given}`);
}

function modeInWords(mode: ProjectMode | undefined): string {
  switch (mode) {
    case "attended":
      return "attended (somebody is watching). No call is refused without asking you, and no run is ended";
    case "unattended":
      return "unattended (nobody is watching). Calls in a loop are refused, and runs that keep going are ended";
    case "off":
      return "off (hooks do nothing in this project)";
    default:
      return "auto (what you told init, else what the agent reports, else attended)";
  }
}

/** Shows how the resident guard is, and what holds in this project. Returns the exit code. */
export async function status(options: StatusOptions, streams: CommandStreams): Promise<number> {
  const setting = currentSetting();
  const { state, folder } = setting;
  const now = Date.now();
  const width = widthFor(streams);
  const resident = await residentStatus(state);
  const paused = pausedUntil(state, now);
  const entries = readLog(state, midnight(now));
  const today = entries.filter(({ said }) => !["outcome", "allowed", "opinion"].includes(said));
  const acted = today.reduce((sum, { times = 1 }) => sum + times, 0);
  const opinion = readOpinion(state);
  const known = readAgentEvents(state, now, resident?.unsaved);
  const isPlugged = WIRABLE_AGENTS.some(({ doctor }) => doctor?.ownPlugin?.isOn(setting.place));
  const isWired = isPlugged || filesWithHooks(WIRABLE_AGENTS, setting).length > 0;
  if (options.json === true) {
    const { unsaved: _, ...running } = resident ?? {};
    const facts = { resident: resident ? running : null, pausedUntil: paused ?? null, acted, agents: known };
    await streams.output.write(`${plainJson(facts)}\n`);
    return 0;
  }
  const lines = [
    resident === undefined ? absenceInWords(hasStartFailed(state), isWired) : residentInWords(resident),
    ...(paused === undefined
      ? []
      : [`Hooks are paused ${paused === "forever" ? "until you run doomloop resume" : `until ${clock(paused)}`}.`]),
    today.length === 0
      ? "Hooks have not acted today."
      : `Hooks have acted ${acted === 1 ? "once" : `${acted} times`} today, most recently ${timeAgo(today.at(-1)!.at, now)}. doomloop log shows details.`,
    ...CODING_AGENTS.flatMap(({ name, label }) =>
      known[name] === undefined ? [] : `The hook of ${label} could not read ${eventsInWords(known[name].unreadable)}.`,
    ),
    ...(opinion === undefined ? [] : [opinionsInWords(opinion, entries)]),
    ...(await unreadConfig()),
  ];
  await streams.output.write(`${lines.map((line) => wrapText(line, width)).join("\n")}\n`);
  await streams.output.write(rulesInWords(folderRules(state, folder), projectOf(folder), setting, width));
  return 0;
}

/** Hooks take no option from a file where agents work: an agent may have written it. */
async function unreadConfig(): Promise<readonly string[]> {
  const file = configFor(undefined);
  if (file === undefined) return [];
  const said = await readConfig(file).then(
    (config) => `${file}: ${Object.keys(config).join(", ")}`,
    (error: Error) => error.message,
  );
  return [printable(`Hooks ignore ${said}. Use doomloop mode, doomloop allow and doomloop init for hooks.`)];
}

function residentInWords({ version, begunAt, sessions, events, missed }: ResidentStatus): string {
  const lost = missed > 0 ? `, ${missed} missed` : "";
  return `The resident guard ${version} has been running since ${clock(begunAt)}: ${count(sessions, "session")}, ${count(events, "event")}${lost}.`;
}

/** What to say if no resident answers: it does not, it could not start lately, or there is none. */
function absenceInWords(hasFailed: boolean, isWired: boolean): string {
  if (hasFailed)
    return "The resident guard could not start. Hooks do nothing until they try again, a minute later. doomloop doctor says why, and tries at once.";
  const next = isWired ? "The next event of an agent starts it" : "No agent has a hook; doomloop init adds it";
  return `No resident guard is running. ${next}.`;
}

/** Shows what hooks said, and what became of it. Returns the exit code. */
export async function log(options: LogOptions, streams: CommandStreams): Promise<number> {
  const { state, folder, place } = currentSetting();
  const now = Date.now();
  const last = options.last === undefined ? undefined : readDuration("--last", options.last);
  const since = last === undefined ? midnight(now) : now - last.ms;
  const project = projectOf(folder);
  const entries = readLog(state, since).filter((entry: LogEntry) => options.here !== true || entry.folder === project);
  if (options.json === true) {
    await streams.output.write(entries.map((entry) => `${plainJson(entry)}\n`).join(""));
    return 0;
  }
  const width = widthFor(streams);
  const style = createStyle({ isTTY: streams.width !== undefined }, process.env);
  const when = last === undefined ? "today" : `in the last ${last.words}`;
  await streams.output.write(
    entries.length === 0
      ? `Hooks have not acted ${when}.\n`
      : logLines(entries, { width, style, shown: (path) => shownPath(path, place) }),
  );
  return 0;
}

/** JSON without characters that a terminal obeys. */
export function plainJson(value: object): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function midnight(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** A time of day, with its date if it is not today's. */
function clock(at: number): string {
  const whole = dateAndTime(at);
  return midnight(at) === midnight(Date.now()) ? (whole.split(" ")[1] ?? whole) : whole;
}
