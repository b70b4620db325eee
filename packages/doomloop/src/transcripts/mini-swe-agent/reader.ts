import { baseName, joinPath } from "../file-names.ts";
import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink } from "../reader.ts";
import { createRunEvents, type RunEvents } from "../run-events.ts";
import { exitError } from "../shell-report.ts";
import { takeMessage } from "../take-message.ts";
import { contentText } from "../tool-output.ts";
import { openaiUsage } from "../usage.ts";

const TRAJECTORY = /\.traj(?:\.json)?(?:\.gz)?$/i;
/** The file names its format only at the end, after the conversation. */
const FIRST_KEY = /^\s{0,8}\{\s{0,8}"(?:info|messages)"\s{0,8}:/;

/** Trajectories of mini-swe-agent: one document with the conversation. Commands are text or tool calls. */
export const miniSweAgent: TranscriptReader = {
  agent: "mini-swe-agent",
  label: "mini-swe-agent",
  extensions: [".json", ".traj"],
  layout: "any",
  /** The agent keeps the latest run of each of its programs beside its settings. Benchmark runs can be anywhere. */
  roots(environment) {
    const { env, home, platform } = environment;
    const settings: Readonly<Record<string, readonly string[]>> = {
      darwin: [home, "Library", "Application Support"],
      // This folder contains one of the author, who has the same name as the program.
      win32: [...(env.LOCALAPPDATA ? [env.LOCALAPPDATA] : [home, "AppData", "Local"]), "mini-swe-agent"],
    };
    const folder = settings[platform] ?? (env.XDG_CONFIG_HOME ? [env.XDG_CONFIG_HOME] : [home, ".config"]);
    return [env.MSWEA_GLOBAL_CONFIG_DIR || joinPath(environment, ...folder, "mini-swe-agent")];
  },
  isMine: (path, head) =>
    head.trimStart().startsWith("{") &&
    (hasKey(head, "trajectory_format", '"mini-swe-agent') ||
      (TRAJECTORY.test(path) && FIRST_KEY.test(head) && !hasKey(head, "trajectory", "["))),
  open: ({ path }, sink) => parseMiniSweAgent(baseName(path), sink),
};

function parseMiniSweAgent(name: string, sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const record = recordOf(value);
      if (!Array.isArray(record?.messages)) return false;
      const info = recordOf(record.info) ?? {};
      const run = createRunEvents(textOf(record.instance_id) ?? name, sink);
      run.facts({
        outcome: textOf(info.exit_status),
        agentVersion: textOf(info.mini_version),
        model: textOf(recordOf(recordOf(info.config)?.model)?.model_name),
        total: { costUsd: countOf(recordOf(info.model_stats)?.instance_cost) },
      });
      takeConversation(run, record.messages);
      run.end();
      return true;
    },
    end() {},
  };
}

function takeConversation(run: RunEvents, messages: readonly unknown[]): void {
  /** Commands in the text of an answer that have no outcome yet, oldest first: an outcome does not name its command. */
  let asked: string[] = [];
  for (const [at, entry] of messages.entries()) {
    const message = recordOf(entry);
    if (message === undefined) continue;
    const extra = recordOf(message.extra);
    const time = timeOf(extra?.timestamp) ?? timeOf(message.timestamp);
    const isUser = message.role === "user";
    // If an answer has no command, mini-swe-agent writes a message in the user's name. It is not from a user.
    if (isUser && extra?.interrupt_type !== undefined) continue;
    if (message.role === "tool" || message.type === "function_call_output" || (isUser && asked.length > 0)) {
      const id = textOf(message.tool_call_id) ?? textOf(message.call_id) ?? asked.shift();
      const { output, error } = outcomeIn(contentText(message.content ?? message.output), extra);
      run.result(id, output, { error, at: time });
      run.answered();
    } else if (message.role === "assistant" || message.object === "response") {
      asked = takeAnswer(run, message, at, time);
      takeUsage(run, message.object === "response" ? message : recordOf(extra?.response), extra);
    } else takeMessage(run, message, time);
  }
}

/** Takes an answer: a message, or a whole OpenAI response. Returns the ids of commands in its text. */
function takeAnswer(run: RunEvents, message: ForeignRecord, at: number, time: number | undefined): string[] {
  if (message.object === "response") {
    run.round(textOf(message.id));
    for (const item of listOf(message.output)) {
      const part = recordOf(item);
      if (part?.type === "message") run.text(contentText(part.content), time);
      else takeMessage(run, part, time);
    }
    return [];
  }
  takeMessage(run, message, time);
  if (listOf(message.tool_calls).length > 0) return [];
  return commandsIn(message).map((command, place) => {
    const id = `${at}.${place}`;
    run.call(id, "bash", { command }, time);
    return id;
  });
}

const FENCES = ["```mswea_bash_command\n", "```bash\n"];

/** The commands that were run. Where they are not recorded: the content of the first code block that is marked as one. */
function commandsIn(message: ForeignRecord): readonly string[] {
  const recorded = listOf(recordOf(message.extra)?.actions).map((action) => textOf(recordOf(action)?.command));
  const known = recorded.filter((command) => command !== undefined);
  if (known.length > 0) return known;
  const text = contentText(message.content) ?? "";
  const fence = FENCES.find((each) => text.includes(each));
  if (fence === undefined) return [];
  const block = text.slice(text.indexOf(fence) + fence.length);
  const end = block.indexOf("\n```");
  return [(end < 0 ? block : block.slice(0, end)).trim()];
}

function takeUsage(run: RunEvents, response: ForeignRecord | undefined, extra: ForeignRecord | undefined): void {
  const usage = recordOf(response?.usage);
  if (usage === undefined) return;
  const costUsd = typeof extra?.cost === "number" ? countOf(extra.cost) : undefined;
  run.usage({ ...openaiUsage(usage), id: textOf(response?.id), model: textOf(response?.model), costUsd });
}

const RETURN_CODE = /^<returncode>(-?\d{1,9})<\/returncode>\s{0,4}(?:<output>)?/;
const END = "</output>";

/** The outcome of a command: from the recorded fields, or from the text that the model got. */
function outcomeIn(text = "", extra: ForeignRecord = {}) {
  const { exception_info: fault, raw_output: raw, returncode } = extra;
  const isFailed = typeof fault === "string" && fault !== "" ? true : undefined;
  const match = RETURN_CODE.exec(text);
  if (typeof raw === "string" || match === null) {
    const output = typeof raw !== "string" ? text : raw === "" && isFailed ? `${fault}` : raw;
    return { output, error: isFailed ?? exitError(returncode, output) };
  }
  const end = text.lastIndexOf(END);
  const output = text.slice(match[0].length, end < match[0].length ? text.length : end);
  return { output, error: isFailed ?? exitError(Number(match[1]), output) };
}
