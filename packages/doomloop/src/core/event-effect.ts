import type { JudgedStep, Step } from "./step.ts";
import type { TextRepeat } from "./words/word-stream.ts";

/** What an event came to. */
export type EventEffect =
  | { readonly kind: "nothing" }
  /** The user spoke. */
  | { readonly kind: "user" }
  /** A call was made. It is judged at once if outcomes are not looked at. */
  | { readonly kind: "call"; readonly step: Step; readonly judged: JudgedStep | undefined }
  /** A step was judged with its outcome. */
  | { readonly kind: "step"; readonly judged: JudgedStep }
  /** An answer without a call ended. */
  | { readonly kind: "answer" }
  /** Streamed words were read. */
  | { readonly kind: "stream"; readonly stream: "text" | "reasoning"; readonly repeat: TextRepeat };

/** The step that was judged, if one was. */
export function judgedIn(effect: EventEffect): JudgedStep | undefined {
  return effect.kind === "step" || effect.kind === "call" ? effect.judged : undefined;
}
