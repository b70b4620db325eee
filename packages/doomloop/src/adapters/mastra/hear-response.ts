import type { HostRun } from "../../host/host-run.ts";
import type { ResponseArgs } from "./config.ts";

type Chunks = ResponseArgs["chunks"];

/** Tells a run what the model thought and said in an answer, before the calls of it are made. */
export function hearResponse(chunks: Chunks, run: HostRun): void {
  const thought = joined(chunks, "reasoning-delta");
  const said = joined(chunks, "text-delta");
  if (thought !== "") run.reasoning(thought);
  if (said !== "") run.text(said, { partial: chunks.some(({ type }) => type === "tool-call") });
}

function joined(chunks: Chunks, wanted: string): string {
  const pieces = chunks.filter(({ type }) => type === wanted).map(({ payload }) => payload as { text?: unknown });
  return pieces.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}
