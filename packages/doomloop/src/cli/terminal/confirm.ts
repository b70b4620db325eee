import { ask } from "./ask.ts";

/** Asks a person a question that only a `y` says yes to. */
export async function confirm(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)) ?? "");
}
