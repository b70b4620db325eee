import { answerEvent } from "../../packages/doomloop/src/agents/hook/handle-hook-event.ts";

/** What a process of hooks is told to do. */
export interface NudgeOrder {
  readonly state: string;
  readonly session: string;
  /** Ids of its calls begin so. */
  readonly name: string;
  readonly budgetMs: number;
  /** One answer with one call each. */
  readonly commands: readonly string[];
}

/** A process that answers all events of some calls, one after the other, as one hook process each would. */
const { state, session, name, budgetMs, commands } = JSON.parse(process.argv[2]!) as NudgeOrder;
const base = {
  session_id: session,
  transcript_path: "/none.jsonl",
  permission_mode: "bypassPermissions",
  cwd: "/work",
};

for (const [at, command] of commands.entries()) {
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `${name}-${at}` };
  const tell = (hook_event_name: string, more: object): unknown =>
    answerEvent({ ...base, hook_event_name, ...more }, { host: "claude-code", isUnattended: false, state, budgetMs });
  tell("PreToolUse", call);
  tell("PostToolUse", { ...call, tool_response: { stdout: `what ${command} says`, stderr: "" } });
  tell("PostToolBatch", { tool_calls: [{ ...call, tool_response: `what ${command} says` }] });
}
