import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { SourceKind } from "./replay-order.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const LABELS = ["labels.dev.jsonl", "labels.dev2.jsonl"];

/** What there is to measure on. */
export interface Data {
  /** Trace files, by the kind of runs in them. */
  readonly traces: Readonly<Record<SourceKind, readonly string[]>>;
  /** Files of labels for the recorded runs. */
  readonly labels: readonly string[];
  /** Files of labels for the runs that were recorded later. */
  readonly laterLabels: readonly string[];
  /** What is absent, in words. */
  readonly notices: readonly string[];
}

interface Environment {
  readonly DOOMLOOP_CORPUS?: string | undefined;
  readonly DOOMLOOP_CORPUS_2?: string | undefined;
  readonly DOOMLOOP_SESSIONS?: string | undefined;
  readonly DOOMLOOP_EVERYDAY?: string | undefined;
}

/**
 * Looks for recorded runs in a folder that was named, else in `DOOMLOOP_CORPUS`, else beside the repository; for real
 * sessions in `DOOMLOOP_SESSIONS`, and for runs that were recorded later in `DOOMLOOP_CORPUS_2`, else beside the recorded runs. Everyday runs are our own and always here;
 * `DOOMLOOP_EVERYDAY` names others.
 */
export function findData(
  { folder, labels }: { readonly folder: string | undefined; readonly labels: string | undefined },
  environment: Environment,
): Data {
  const recorded = folder ?? environment.DOOMLOOP_CORPUS ?? resolve(ROOT, "../shared/corpus");
  const beside = dirname(resolve(recorded));
  const sessions = environment.DOOMLOOP_SESSIONS ?? join(beside, "corpus-coding");
  const later = environment.DOOMLOOP_CORPUS_2 ?? join(beside, "corpus-2");
  const data = {
    traces: {
      recorded: tracesIn(recorded),
      later: tracesIn(later),
      sessions: tracesIn(sessions),
      everyday: tracesIn(environment.DOOMLOOP_EVERYDAY ?? join(ROOT, "bench/everyday")),
    },
    labels: labels === undefined ? labelsIn(recorded) : [labels],
    laterLabels: labelsIn(later),
  };
  return { ...data, notices: noticesOf(data) };
}

function noticesOf({ traces, labels }: Omit<Data, "notices">): string[] {
  const notices: string[] = [];
  if (traces.recorded.length === 0)
    notices.push("Skipped: no recorded runs here. Name their folder, or set DOOMLOOP_CORPUS.");
  else if (labels.length === 0)
    notices.push(`Skipped: no ${LABELS[0]} beside the recorded runs. Name a file with --labels.`);
  if (traces.sessions.length === 0) notices.push("Skipped: no real sessions here. Set DOOMLOOP_SESSIONS.");
  if (traces.later.length === 0) notices.push("Skipped: no later recordings here. Set DOOMLOOP_CORPUS_2.");
  if (traces.everyday.length === 0) notices.push("Skipped: no everyday runs in DOOMLOOP_EVERYDAY.");
  return notices;
}

function tracesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /\.jsonl(?:\.gz)?$/.test(name) && !name.startsWith("labels"))
    .map((name) => join(folder, name));
}

function labelsIn(folder: string): string[] {
  return LABELS.map((name) => join(folder, name)).filter((path) => existsSync(path));
}
