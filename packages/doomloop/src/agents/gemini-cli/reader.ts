import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createRunEvents, createSeenIds, type RunEvents } from "../../transcripts/run-events.ts";
import { createMessages } from "./messages.ts";

/** The history of prompts, saved chats and checkpoints. They repeat parts of conversations that are read anyway. */
const OTHER = /[\\/](?:logs|checkpoint[^\\/]{0,200})\.json$|[\\/]checkpoints[\\/]/;

/** Chats of Gemini CLI: one change a line since 2026, one JSON document before. */
export const geminiCliReader: TranscriptReader = {
  agent: "gemini-cli",
  label: "Gemini CLI",
  extensions: [".jsonl", ".json"],
  layout: "any",
  /** One folder for each project, with `chats/` in it. `GEMINI_CLI_HOME` replaces the home folder. */
  roots(environment) {
    const home = environment.env.GEMINI_CLI_HOME || environment.home;
    return [joinPath(environment, home, ".gemini", "tmp")];
  },
  isOther: (path) => OTHER.test(path),
  isMine: (_path, head) =>
    hasKey(head, "sessionId", '"') && hasKey(head, "projectHash", '"') && hasKey(head, "startTime", '"'),
  open: parseGeminiCli,
};

const HASH = /^[\da-f]{32,64}$/;

/**
 * Reads a chat of Gemini CLI. It is a log of changes, in which a message is written again when more of it is known.
 *
 * The whole list is written again when a chat is resumed, which adds nothing, and when it is compressed, which drops messages.
 */
function parseGeminiCli(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  let run: RunEvents | undefined;
  let messages: ReturnType<typeof createMessages> | undefined;
  let isResuming = false;
  const known = createSeenIds();

  const begin = (header: ForeignRecord): void => {
    isResuming = true;
    if (run !== undefined) return;
    run = createRunEvents(textOf(header.sessionId) ?? baseName(source.path), sink);
    messages = createMessages(run);
    const { project, parent } = placeOf(source.path);
    const [directory] = listOf(header.directories);
    run.facts({ project: textOf(directory) ?? project, startedAt: timeOf(header.startTime), parent });
  };

  const takeMessage = (value: unknown): void => {
    const message = recordOf(value);
    const id = textOf(message?.id);
    if (message === undefined || id === undefined) return;
    if (run === undefined) begin({});
    known.add(id);
    messages?.take(message, id);
  };

  const takeList = (list: readonly unknown[]): void => {
    const ids = new Set(list.map((message) => recordOf(message)?.id));
    const kept = [...ids].filter((id) => typeof id === "string" && known.has(id)).length;
    if (!isResuming && kept < known.size) run?.compaction();
    for (const message of list) takeMessage(message);
  };

  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined) return false;
      const change = recordOf(record.$set);
      if (change !== undefined) {
        if (Array.isArray(change.messages)) takeList(change.messages);
      } else if (textOf(record.sessionId) !== undefined && "projectHash" in record) {
        begin(record);
        for (const message of listOf(record.messages)) takeMessage(message);
      } else if (textOf(record.id) !== undefined && textOf(record.type) !== undefined) {
        isResuming = false;
        takeMessage(record);
      } else return "$rewindTo" in record;
      return true;
    },
    end: () => run?.end(),
  };
}

/** What a chat's path says: `<project>/chats/<file>`, or `<project>/chats/<parent>/<file>` for a subagent. */
interface Place {
  /** The project's name. Undefined for older versions, which used a hash of its folder. */
  readonly project: string | undefined;
  readonly parent: string | undefined;
}

function placeOf(path: string): Place {
  const parts = path.split(/[\\/]/);
  const at = parts.lastIndexOf("chats");
  const project = at > 0 ? parts[at - 1]! : "";
  return {
    project: project === "" || HASH.test(project) ? undefined : project,
    parent: at >= 0 && parts.length === at + 3 ? parts[at + 1] : undefined,
  };
}
