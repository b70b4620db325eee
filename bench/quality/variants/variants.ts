import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import { seedOf } from "../random.ts";
import { dropClock } from "./drop-clock.ts";
import { dropRounds } from "./drop-rounds.ts";
import { renameTools } from "./rename-tools.ts";
import { rewordOutputs } from "./reword-outputs.ts";

/** The same run as another host would have told it: what is innocent stays innocent. */
type Variant = (events: readonly AgentEvent[], run: string) => AgentEvent[];

/** All variants, by their names in the tables. */
export const variants = {
  "tools renamed": (events, run) => renameTools(events, seedOf(run)),
  "tools renamed, answers reworded": (events, run) => rewordOutputs(renameTools(events, seedOf(run)), seedOf(run)),
  "a usual sentence after the request": addSentence,
  "no clock": dropClock,
  "no rounds": dropRounds,
  "no clock, no rounds": (events) => dropRounds(dropClock(events)),
} as const satisfies Record<string, Variant>;

const SENTENCE = " Make sure every test passes before you finish.";

function addSentence(events: readonly AgentEvent[]): AgentEvent[] {
  const first = events.findIndex(({ type }) => type === "user");
  const request = events[first];
  if (request?.type !== "user") return [{ type: "user", text: SENTENCE.trim() }, ...events];
  return events.with(first, { ...request, text: `${request.text ?? ""}${SENTENCE}` });
}

export type VariantName = keyof typeof variants;
