import { AGENT_WIRINGS } from "../../agents/wirings.ts";
import type { Report } from "../../scan/report/report.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { nextSteps } from "../reporters/next-steps.ts";
import { machineHints, PATH_HINTS } from "../reporters/scan-hints.ts";
import { scanSummary } from "../reporters/scan-summary.ts";
import { samplePath } from "../sample-path.ts";
import { ownCommand } from "../terminal/own-command.ts";
import { createStyle } from "../terminal/style.ts";
import { type CommandStreams, WIDE } from "./command-streams.ts";

/** Writes the summary of a report, for the terminal and the command line of this process. */
export type SummaryOf = (report: Report, readers: readonly TranscriptReader[]) => string;

interface SummaryAbout {
  readonly options: SourceOptions & { readonly quiet?: boolean };
  readonly streams: CommandStreams;
  readonly paths: readonly string[];
  readonly scope: string;
  readonly top: number;
  readonly hasPage: boolean;
}

interface SourceOptions {
  readonly format?: string | undefined;
  readonly reader?: readonly string[] | undefined;
}

export function createSummary({ options, streams, paths, scope, top, hasPage }: SummaryAbout): SummaryOf {
  const own = (...words: string[]): string => ownCommand(words, process.env);
  const source = [...paths.map(asTyped), ...sourceWords(options)];
  const isWired = (agent: string): boolean => AGENT_WIRINGS.some((wiring) => wiring.host === agent);
  return (report, readers) => {
    const agents = report.sessions.map(({ agent }) => agent);
    const worst = report.loops[0]?.session ?? "";
    const about = {
      showCommand: own("show", worst, ...source),
      tuneCommand: own("tune", ...source),
      pageCommand: hasPage ? undefined : own("scan", ...source, "--open"),
      hasWirableAgent: agents.some(isWired),
      hasOtherAgent: agents.some((agent) => !isWired(agent)),
    };
    return scanSummary(report, {
      ...{ width: streams.width ?? WIDE, top, now: Date.now(), scope, isQuiet: options.quiet === true },
      style: createStyle({ isTTY: streams.width !== undefined }, process.env),
      hints: paths.length > 0 ? PATH_HINTS : machineHints(readers, own("scan", "runs.jsonl"), own("scan", "--sample")),
      steps: nextSteps(about, own),
    });
  };
}

/** A path as somebody types it. What came in by a pipe is gone: it has to be put into a file to be looked at again. */
function asTyped(path: string): string {
  if (path === samplePath()) return "--sample";
  return path === "-" ? "runs.jsonl" : path;
}

/** The options by which another command reads the same files. */
function sourceWords({ format, reader = [] }: SourceOptions): readonly string[] {
  return [...(format === undefined ? [] : ["--format", format]), ...reader.flatMap((module) => ["--reader", module])];
}
