import type { Verdict } from "./answer.ts";
import type { Answers } from "./memory/answers.ts";
import type { Step } from "./memory/step.ts";
import type { TextRepeat } from "./memory/word-stream.ts";

/**
 * Looks at what happened and says what is to be done about it. There are two: one adds up evidence, and one counts by the host's own rules.
 *
 * What it remembers is plain data that belongs to the guard's memory.
 */
export interface Judge {
  /** A call, before it runs. `isLate`: no result will come of it, so it is judged now or never. */
  onCall(step: Step, isBlind: boolean): Verdict | undefined;
  /** A call with its outcome, and the text of that. */
  onStep(step: Step, text: string): Verdict | undefined;
  /** An answer without a call ended. */
  onAnswer(answers: Answers): Verdict | undefined;
  /** Streamed words repeat themselves. */
  onStream(stream: "text" | "reasoning", repeat: TextRepeat): Verdict | undefined;
  /** The user spoke. */
  onUser(): void;
  /** Something happened that the host calls progress. */
  onProgress(): void;
  /** A person says that this is no loop. Returns the calls that belong to it. */
  allow(loop: string): void;
}
