import {
  type HookCallback,
  type MessageDisplayHookInput,
  type Options,
  type PostCompactHookInput,
  type PostToolBatchHookInput,
  type PostToolUseFailureHookInput,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  query,
  type SDKMessage,
  type StopHookInput,
  type SubagentStartHookInput,
  type SubagentStopHookInput,
  type UserPromptSubmitHookInput,
} from "@anthropic-ai/claude-agent-sdk";
import { guard, type LoopStop, loopStop } from "doomloop/claude-agent-sdk";
import { expectTypeOf } from "vitest";
import type { GuardHook } from "../../../packages/doomloop/src/adapters/claude-agent-sdk/guard.ts";

declare const options: Options;
declare const message: SDKMessage;

/** Guarded options are what they were, written in place or before. A hook of ours is one of theirs. */
export function optionsOfQuery(): void {
  query({ prompt: "", options: guard({}) });
  query({ prompt: "", options: guard(options) });
  query({
    prompt: "",
    options: guard({
      permissionMode: "plan",
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [async ({ session_id }) => ({ reason: session_id })] }] },
      canUseTool: async (_tool, updatedInput) => ({ behavior: "allow", updatedInput }),
    }),
  });
  expectTypeOf(guard(options, { attended: true })).toEqualTypeOf<Options>();
  expectTypeOf<GuardHook>().toExtend<HookCallback>();
  expectTypeOf(loopStop(message)).toEqualTypeOf<LoopStop | undefined>();
  // @ts-expect-error: options are those of a guard.
  guard(options, { threshold: 3 });
  // @ts-expect-error: the options of a query are guarded, not all that it takes.
  query(guard({ prompt: "", options }));
}

interface Base {
  session_id: string;
  agent_id?: string;
}

interface Call extends Base {
  tool_use_id: string;
  tool_name: string;
  tool_input: unknown;
}

interface Ending {
  stop_hook_active: boolean;
  last_assistant_message?: string;
}

/** The fields that are read have the names and types that they have in the package. */
export function fieldsOfInputs(): void {
  expectTypeOf<PreToolUseHookInput>().toExtend<Call & { hook_event_name: "PreToolUse" }>();
  expectTypeOf<PostToolUseHookInput>().toExtend<Call & { tool_response: unknown; hook_event_name: "PostToolUse" }>();
  expectTypeOf<PostToolUseFailureHookInput>().toExtend<Call & { error: string }>();
  expectTypeOf<PostToolBatchHookInput>().toExtend<Base & { tool_calls: Omit<Call, "session_id">[] }>();
  expectTypeOf<PostToolBatchHookInput["tool_calls"][0]>().toHaveProperty("tool_response");
  expectTypeOf<UserPromptSubmitHookInput>().toExtend<Base & { prompt: string }>();
  expectTypeOf<"system">().toExtend<NonNullable<UserPromptSubmitHookInput["source"]>>();
  expectTypeOf<SubagentStartHookInput>().toExtend<Required<Base> & { hook_event_name: "SubagentStart" }>();
  expectTypeOf<MessageDisplayHookInput>().toExtend<Base & { delta: string }>();
  expectTypeOf<StopHookInput>().toExtend<Base & Ending>();
  expectTypeOf<SubagentStopHookInput>().toExtend<Required<Base> & Ending>();
  expectTypeOf<PostCompactHookInput>().toExtend<Base & { hook_event_name: "PostCompact" }>();
}
