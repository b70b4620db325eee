import { baseName } from "../file-names.ts";
import { countOf, type ForeignRecord, listOf, recordOf, textOf } from "../foreign-value.ts";
import { namedReader } from "../named-reader.ts";
import type { SessionFacts, TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "../reader.ts";
import { createRunEvents, type RunEvents } from "../run-events.ts";
import { contentText } from "../tool-output.ts";

/** The first key of a trajectory. Files of mini-swe-agent may have the same name, but begin with `info`. */
const FIRST_KEY = /^\s{0,8}\{\s{0,8}"(?:trajectory|environment|history|attempts|replay_config)"\s{0,8}:/;

/** Trajectories of SWE-agent. */
export const sweAgent: TranscriptReader = {
  ...namedReader({ agent: "swe-agent", label: "SWE-agent", isMine: (_, head) => FIRST_KEY.test(head), open }),
  extensions: [".traj"],
};

/** Reads a trajectory of SWE-agent: one document with a thought, an action and an observation for each step. */
function open(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined) return false;
      const name = textOf(record.instance_id) ?? baseName(source.path);
      const attempts = listOf(record.attempts).map(recordOf);
      // The fields beside the attempts repeat the chosen one.
      if (attempts.length === 0) return takeAttempt(name, record, sink);
      return attempts.map((attempt, at) => takeAttempt(`${name}#${at + 1}`, attempt, sink)).every(Boolean);
    },
    end() {},
  };
}

function takeAttempt(name: string, record: ForeignRecord | undefined, sink: TranscriptSink): boolean {
  if (!Array.isArray(record?.trajectory)) return false;
  const run = createRunEvents(name, sink);
  const info = recordOf(record.info) ?? {};
  run.facts({
    outcome: textOf(info.exit_status),
    agentVersion: textOf(info.swe_agent_version),
    total: totalOf(recordOf(info.model_stats)),
  });
  const task = taskOf(listOf(record.history));
  if (task !== undefined) run.user(task);
  for (const [at, entry] of record.trajectory.entries()) takeStep(run, recordOf(entry), at);
  run.end();
  return true;
}

/** Steps have no ids, so their index is used. An action is a command line for a shell with additional commands. */
function takeStep(run: RunEvents, step: ForeignRecord | undefined, at: number): void {
  if (step === undefined) return;
  const action = textOf(step.action)?.trim();
  run.round();
  run.text(textOf(step.thought) ?? (action ? undefined : textOf(step.response)));
  if (action === undefined || action === "") return;
  run.call(`${at}`, "bash", { command: action });
  if (step.observation !== undefined && step.observation !== null) run.result(`${at}`, step.observation);
}

function taskOf(history: readonly unknown[]): string | undefined {
  const message = history.map(recordOf).find((entry) => entry?.role === "user" && entry.is_demo !== true);
  return contentText(message?.content);
}

/** SWE-agent records only the total of all answers. */
function totalOf(stats: ForeignRecord | undefined): SessionFacts["total"] {
  if (stats === undefined) return undefined;
  return {
    tokens: countOf(stats.tokens_sent) + countOf(stats.tokens_received),
    costUsd: countOf(stats.instance_cost),
  };
}
