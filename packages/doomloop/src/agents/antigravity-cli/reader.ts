import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { type ForeignRecord, jsonIn, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createRunEvents, type RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";

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

/** What one line of a transcript says. `key` is the number of the step, and part of the ids of its calls. */
export type Step =
  | { readonly type: "prompt"; readonly key: string; readonly text: string | undefined }
  | { readonly type: "answer"; readonly key: string; readonly calls: readonly StepCall[] }
  | { readonly type: "result"; readonly key: string; readonly output: string; readonly error: boolean | undefined }
  | { readonly type: "compaction"; readonly key: string }
  | { readonly type: "other"; readonly key: string };

/** A call of an answer. The transcript has no ids for calls. */
interface StepCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
}

const MAX_CALLS = 128;
const REQUEST = ["<USER_REQUEST>", "</USER_REQUEST>"] as const;
/** The times of a step are in its text, too. */
const TIMES = /^(?:(?:Created|Completed) At: [^\n]{0,64}\n){1,2}\s{0,16}/;
const DONE = /^The command completed successfully\.\s{0,16}/;
const FAILED = /^The command (?:failed|exited)[^\n\d-]{0,32}(-?\d{1,9})[^\n]{0,16}\s{0,16}/;
const OUTPUT = /^Output:[^\S\n]{0,16}\n?[^\S\n]{0,16}/;
/** What a call is about, in words that the model finds anew for each call. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(["toolAction", "toolSummary"]);
/** Names of arguments, as other agents call them. */
const USUAL_NAMES: ReadonlyMap<string, string> = new Map([
  ["CommandLine", "command"],
  ["AbsolutePath", "absolute_path"],
  ["TargetFile", "target_file"],
  ["CodeContent", "content"],
  ["ReplacementContent", "replacement"],
]);

/** Reads a step. Undefined for anything else. */
export function stepOf(value: unknown): Step | undefined {
  const record = recordOf(value);
  const type = textOf(record?.type);
  if (record === undefined || type === undefined || !Number.isSafeInteger(record.step_index)) return undefined;
  const key = String(record.step_index);
  if (type === "USER_INPUT") return { type: "prompt", key, text: requestIn(textOf(record.content)) };
  if (type === "PLANNER_RESPONSE") return { type: "answer", key, calls: callsOf(record, key) };
  if (type === "CHECKPOINT") return { type: "compaction", key };
  if (record.source === "MODEL" || type === "ERROR_MESSAGE") return { type: "result", key, ...outcomeOf(record, type) };
  return { type: "other", key };
}

/** Finds the call that a result belongs to. Results name no call: they follow an answer in the order of its calls. */
interface OpenCalls {
  take(step: Step): StepCall | undefined;
}

function createOpenCalls(): OpenCalls {
  let open: readonly StepCall[] = [];
  return {
    take(step) {
      if (step.type === "answer") open = step.calls;
      if (step.type === "prompt") open = [];
      if (step.type !== "result") return undefined;
      const [call] = open;
      open = open.slice(1);
      return call;
    },
  };
}

/** What the user wrote, without what the agent adds to it. */
function requestIn(content: string | undefined): string | undefined {
  const [begin, end] = REQUEST;
  if (!content?.startsWith(begin)) return content;
  const to = content.indexOf(end);
  return textOf(content.slice(begin.length, to < 0 ? undefined : to).trim());
}

function callsOf({ tool_calls }: ForeignRecord, key: string): readonly StepCall[] {
  return listOf(tool_calls)
    .slice(0, MAX_CALLS)
    .flatMap((value, at) => {
      const call = recordOf(value);
      const tool = textOf(call?.name);
      return tool === undefined ? [] : [{ id: `${key}.${at}`, tool, args: argsOf(call?.args) }];
    });
}

function argsOf(value: unknown): unknown {
  const args = recordOf(value);
  if (args === undefined) return value;
  const kept = Object.entries(args).filter(([name]) => !DESCRIPTIONS.has(name));
  return Object.fromEntries(kept.map(([name, told]) => [USUAL_NAMES.get(name) ?? name, unquoted(told)]));
}

/** Some versions write the text of an argument as JSON within JSON. */
function unquoted(value: unknown): unknown {
  return typeof value === "string" && value.startsWith('"') ? (jsonIn(value) ?? value) : value;
}

function outcomeOf({ content, status }: ForeignRecord, type: string) {
  const told = (textOf(content) ?? "").replace(TIMES, "");
  const failed = FAILED.exec(told);
  const output = told.replace(DONE, "").replace(FAILED, "").replace(OUTPUT, "");
  if (type === "ERROR_MESSAGE" || status === "ERROR") return { output, error: true };
  if (failed !== null) return { output, error: exitError(Number(failed[1]), output) };
  return { output, error: DONE.test(told) ? false : undefined };
}
