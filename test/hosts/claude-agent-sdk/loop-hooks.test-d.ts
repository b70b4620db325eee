import {
  type HookEvent,
  type HookJSONOutput,
  type PostCompactHookInput,
  type PostToolBatchHookInput,
  type PostToolUseFailureHookInput,
  type PostToolUseHookInput,
  type PreToolUseHookInput,
  query,
  type SubagentStartHookInput,
  type UserPromptSubmitHookInput,
} from "@anthropic-ai/claude-agent-sdk";
import { type LoopHooks, loopHooks } from "doomloop/claude-agent-sdk";
import { expectTypeOf } from "vitest";

/** The hooks fit where the one line puts them, alone and beside others. */
export function hooksOfQuery(): void {
  query({ prompt: "", options: { hooks: loopHooks() } });
  const guard = loopHooks();
  query({ prompt: "", options: { hooks: { ...guard, PreToolUse: [...guard.PreToolUse, { hooks: [] }] } } });
  expectTypeOf<keyof LoopHooks>().toExtend<HookEvent>();
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
  expectTypeOf<PostCompactHookInput>().toExtend<Base & { hook_event_name: "PostCompact" }>();
}
