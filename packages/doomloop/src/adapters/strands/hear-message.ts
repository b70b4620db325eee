import type { HostRun } from "../../host/host-run.ts";
import type { Message } from "./strands-package.ts";

/** Hears what the model says and thinks, when its answer is whole: nothing could be done about it earlier. */
export function hearMessage({ content }: Message, run: HostRun): void {
  const partial = content.some(({ type }) => type === "toolUseBlock");
  const said: string[] = [];
  for (const { type, text } of content as readonly { readonly type: string; readonly text?: unknown }[]) {
    if (typeof text !== "string") continue;
    if (type === "reasoningBlock") run.reasoning(text);
    else if (type === "textBlock") said.push(text);
  }
  if (said.length > 0) run.text(said.join("\n"), { partial });
}
