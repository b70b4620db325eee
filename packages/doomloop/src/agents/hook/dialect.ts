import type { HostAbilities } from "../../host/abilities.ts";
import type { ForeignRecord } from "../../transcripts/foreign-value.ts";
import type { HookAnswer } from "./hook-answer.ts";
import type { HookInput } from "./hook-input.ts";

/** The agents whose hooks are known. */
export type HookHost =
  | "claude-code"
  | "codex"
  | "gemini-cli"
  | "qwen-code"
  | "copilot-cli"
  | "cline"
  | "opencode"
  | "openclaw";

/** How one agent tells its hooks what happens, and what it understands of their answers. */
export interface Dialect {
  readonly host: HookHost;
  /** What it lets a hook do where nobody watches. */
  readonly abilities: HostAbilities;
  /** Whether it tells when the calls of an answer are over. */
  readonly tellsRounds: boolean;
  /** Whether an input is this agent's, where nobody says so. */
  isOf(input: ForeignRecord): boolean;
  /** Undefined for events that do not matter. */
  read(input: ForeignRecord): HookInput | undefined;
  /** The answer as JSON; undefined where nothing is to be printed. Nothing but fields that this agent knows. */
  write(answer: HookAnswer, input: HookInput): object | undefined;
}
