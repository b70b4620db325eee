import type { Guard } from "../index.ts";

/** Asks somebody whether an agent is stuck, where rules cannot tell. Made by `secondOpinion` and its kin in `doomloop/opinion`. */
export interface SecondOpinion {
  /** The most questions in a run: the guard's option `questions`. */
  readonly questions: number;
  /** The guard, with its questions answered. Nothing waits for an answer. */
  attach<Watched extends Pick<Guard, "observe">>(
    guard: Watched,
    onFault: (fault: unknown) => unknown,
  ): Watched & RequestListener;
}

/** Hears what the user asked for, each time a host reads it. */
export interface RequestListener {
  hearRequest?(text: string): void;
}
