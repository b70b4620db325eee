import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createRunEvents, type RunEvents } from "../../transcripts/run-events.ts";
import { createOpenCalls, stepOf } from "./steps.ts";

/** Conversations of Antigravity CLI, each in a folder of its own. */
export const antigravityCliReader: TranscriptReader = {
  agent: "antigravity-cli",
  label: "Antigravity CLI",
  extensions: [".jsonl"],
  roots: (environment) => [joinPath(environment, environment.home, ".gemini", "antigravity-cli", "brain")],
  isMine: (_path, head) => hasKey(head, "step_index") && hasKey(head, "source", '"') && hasKey(head, "type", '"'),
  open: parseAntigravityCli,
};

const CONVERSATION = /[\\/]([\w-]{1,64})[\\/]\.system_generated[\\/]logs[\\/]transcript(?:_full)?\.jsonl$/;
const SHORTENED = /transcript\.jsonl$/;

/** Reads a conversation of Antigravity CLI. A line is a step. If there is a copy with whole texts, only that one is read. */
function parseAntigravityCli(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const { path, hasFile = () => false } = source;
  const isCopied = SHORTENED.test(path) && hasFile(path.replace(SHORTENED, "transcript_full.jsonl"));
  const open = createOpenCalls();
  let run: RunEvents | undefined;
  let project: string | undefined;

  const begin = (startedAt: number | undefined): RunEvents => {
    run = createRunEvents(CONVERSATION.exec(path)?.[1] ?? baseName(path), sink);
    run.facts({ startedAt });
    return run;
  };

  return {
    record(value) {
      const step = stepOf(value);
      const record = recordOf(value);
      if (step === undefined || record === undefined) return false;
      if (isCopied) return true;
      const at = timeOf(record.created_at);
      const events = run ?? begin(at);
      const call = open.take(step);
      if (step.type === "prompt") events.user(step.text, at);
      else if (step.type === "compaction") events.compaction(at);
      else if (step.type === "result" && call) events.result(call.id, step.output, { error: step.error, at });
      else if (step.type === "answer") {
        events.round(step.key);
        events.reasoning(textOf(record.thinking), at);
        events.text(textOf(record.content), at);
        for (const { id, tool, args } of step.calls) {
          const folder = textOf(recordOf(args)?.Cwd);
          if (project === undefined && folder !== undefined) events.facts({ project: folder });
          project ??= folder;
          events.call(id, tool, args, at);
        }
      }
      return true;
    },
    end: () => run?.end(),
  };
}
