import {
  type HookEvent,
  type HookJSONOutput,
  type MessageDisplayHookInput,
  type PostCompactHookInput,
  type PostToolBatchHookInput,
  type PostToolUseFailureHookInput,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  query,
  type StopHookInput,
  type SubagentStartHookInput,
  type SubagentStopHookInput,
  type UserPromptSubmitHookInput,
} from "@anthropic-ai/claude-agent-sdk";
import { type LoopHooks, type LoopStop, loopHooks } from "doomloop/claude-agent-sdk";
import { expectTypeOf } from "vitest";

/** The hooks fit where the one line puts them, alone and beside others. */
export function hooksOfQuery(): void {
  query({ prompt: "", options: { hooks: loopHooks() } });
  const guard = loopHooks();
  query({ prompt: "", options: { hooks: { ...guard, PreToolUse: [...guard.PreToolUse, { hooks: [] }] } } });
  expectTypeOf<Exclude<keyof LoopHooks, "stopped">>().toExtend<HookEvent>();
  expectTypeOf(guard.stopped("")).toEqualTypeOf<LoopStop | undefined>();
  expectTypeOf<Awaited<ReturnType<LoopHooks["PreToolUse"][0]["hooks"][0]>>>().toExtend<HookJSONOutput>();
  // @ts-expect-error: options are those of a guard.
  loopHooks({ threshold: 3 });
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
