import type { HookAnswer } from "../hook/hook-answer.ts";

/** A refusal as Claude Code and its relatives know it. */
export function denial(words: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: words,
    },
  };
}

/** Words behind a result. */
export function contextFor(event: string, words: string): object {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: words } };
}

/** An answer that needs no more than a denial and words: an end is a refused call, and the next one is refused too. */
export function writeWithoutEnd(answer: HookAnswer, event: string): object | undefined {
  if (answer.type === "refusal") return denial(answer.words);
  return answer.type === "words" ? contextFor(event, answer.words) : undefined;
}
