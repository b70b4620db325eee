import type { HostRun } from "../../host/host-run.ts";
import type { MessageLike, PartLike } from "./settings.ts";

/** Tells a run what the model said and thought beside the calls of an answer. */
export function hearAnswer(answer: MessageLike | undefined, run: HostRun): void {
  for (const { type, text } of (answer?.content ?? []) as readonly PartLike[]) {
    if (typeof text !== "string") continue;
    if (type === "text") run.text(text, { partial: true });
    if (type === "reasoning") run.reasoning(text);
  }
}
