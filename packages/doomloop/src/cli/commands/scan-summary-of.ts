import { WIRABLE_AGENTS } from "../../agents/index.ts";
import { currentSetting } from "../../agents/settings/agent-place.ts";
import { wiredFiles } from "../../agents/settings/wired-files.ts";
import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import { homeFolder } from "../../system/home-folder.ts";
import { printable } from "../../system/printable.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { nowFor, samplePath } from "../command-line/shared-options.ts";
import { nextSteps } from "../reporters/next-steps.ts";
import { scanSummary } from "../reporters/scan-summary.ts";
import { wrapLines } from "../terminal/columns.ts";
import { type CommandStreams, ownCommand, widthFor } from "../terminal/output.ts";
import { createStyle } from "../terminal/style.ts";
import type { ScanOptions } from "./scan.ts";

interface SummaryAbout {
  readonly options: SourceOptions & { readonly quiet?: boolean };
  readonly streams: CommandStreams;
  readonly paths: readonly string[];
  readonly scope: string;
  readonly top: number;
  readonly hasPage: boolean;
}

/** Options that other commands need in order to find the same sessions and judge them alike. */
type SourceOptions = Pick<
  ScanOptions,
  "format" | "reader" | "last" | "since" | "until" | "agent" | "project" | "session" | "preset" | "config"
>;

/** Shown if nothing was found at the given paths. */
const PATH_HINT = "Is it a transcript? --format names the agent that wrote it.";

/** The summary of a report for this terminal and command line. */
export function summaryOf(
  report: Report,
  { readers, unmatched }: Pick<RunScanResult, "readers" | "unmatched">,
  { options, streams, paths, scope, top, hasPage }: SummaryAbout,
): string {
  const own = (...words: string[]): string => ownCommand(words, process.env);
  const source = [...paths.map(asTyped), ...sourceWords(options)];
  // The options with which a guard judges alike.
  const judged = [...(options.preset === undefined ? [] : ["--preset", options.preset]), ...configWords(options)];
  const isWirable = (agent: string): boolean => WIRABLE_AGENTS.some(({ name }) => name === agent);
  const wired = new Set(wiredFiles(currentSetting().state).map(({ host }) => host));
  const agents = report.sessions.map(({ agent }) => agent);
  const worst = (report.loops[0] ?? report.possibleLoops[0])?.session ?? "";
  const about = {
    showCommand: own("show", worst, ...source, ...judged),
    // A preset is what tune would change.
    tuneCommand: own("tune", ...source, ...choiceWords(options), ...configWords(options)),
    pageCommand: hasPage ? undefined : own("scan", ...source, ...choiceWords(options), ...judged, "--open"),
    adviceCommand:
      report.advice.length === 0 ? undefined : own("scan", ...source, ...choiceWords(options), ...judged, "--advise"),
    hasWirableAgent: agents.some((agent) => isWirable(agent) && !wired.has(agent)),
    hasOtherAgent: agents.some((agent) => !isWirable(agent)),
  };
  const summary = scanSummary(report, {
    ...{ width: widthFor(streams), top, now: nowFor(paths), scope, isQuiet: options.quiet === true },
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    unmatched: unmatched() === 0 ? undefined : unmatchedInWords(unmatched(), options),
    hints:
      paths.length > 0
        ? [...rangeHints(options), PATH_HINT]
        : machineHints(readers, options, own("scan", "runs.jsonl"), own("scan", "--sample")),
    steps: nextSteps(about, own),
  });
  return options.quiet === true ? wrapLines(summary, streams.width) : summary;
}

/** Says that there are sessions, and which options leave them out. */
function unmatchedInWords(sessions: number, { agent = [], project, session }: SourceOptions): string {
  const filters = choiceWords({ agent, project, session });
  const match = sessions === 1 ? "it does not match" : "none match";
  return `${count(sessions, "session")}, ${match} ${printable(filters.join(" "))}`;
}

/** Shown if nothing was found in the time that was asked for. */
function rangeHints(options: SourceOptions): readonly string[] {
  const option = (["last", "since", "until"] as const).find((name) => options[name] !== undefined);
  return option === undefined ? [] : [`Without --${option}, sessions of any time are scanned.`];
}

/** The path as a user would type it. Piped input is gone, so a command needs a file instead. */
function asTyped(path: string): string {
  if (path === samplePath()) return "--sample";
  return path === "-" ? "runs.jsonl" : path;
}

/** The options with which another command reads the same files. */
function sourceWords({ format, reader = [] }: SourceOptions): readonly string[] {
  return [...(format === undefined ? [] : ["--format", format]), ...reader.flatMap((module) => ["--reader", module])];
}

/** The options that choose the same sessions. */
function choiceWords({ last, since, until, agent = [], project, session }: SourceOptions): readonly string[] {
  const given = { "--last": last, "--since": since, "--until": until, "--project": project, "--session": session };
  const chosen = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  return [...chosen, ...agent.flatMap((name) => ["--agent", name])];
}

function configWords({ config }: SourceOptions): readonly string[] {
  if (config === false) return ["--no-config"];
  return config === undefined ? [] : ["--config", config];
}

/** Popular agents without transcripts that doomloop can read. */
const NOT_READ = "Cursor, Windsurf, Amp, Aider, Zed, Continue, Roo Code";

/**
 * Shown if nothing was found on the machine: which agents were searched for and where, which are not supported, and
 * what to try.
 */
function machineHints(
  readers: readonly TranscriptReader[],
  { agent }: SourceOptions,
  tryCommand: string,
  sampleCommand: string,
): readonly string[] {
  const machine = { home: homeFolder(), env: process.env, platform: process.platform };
  const wanted = readers.filter((reader) => agent === undefined || agent.includes(reader.agent));
  const looked = wanted.flatMap((reader) => {
    const [root] = reader.roots(machine);
    return root === undefined ? [] : [`${reader.label} (${fromHome(root, machine.home)})`];
  });
  return [
    `Looked for ${printable(looked.join(", "))}.`,
    `Not read: ${NOT_READ}. You can pass what they export, as a trace or an OpenTelemetry file.`,
    `Try --last 1y, or name a file or folder: ${tryCommand}`,
    `To see what it finds in made-up sessions: ${sampleCommand}`,
  ];
}

function fromHome(path: string, home: string): string {
  return path.startsWith(home) ? `~${path.slice(home.length)}` : path;
}
