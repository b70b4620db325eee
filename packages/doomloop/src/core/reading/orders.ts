import type { Order, Request } from "../hints/request.ts";
import { FIRST, mixed } from "../hints/words.ts";
import { HINTED } from "../numbers.ts";
import type { Call } from "../step.ts";

/**
 * What the request leaves of a repeat. It is heard for watching, acting, saying, waiting and checks; never for a look at the run's own files.
 * An order counts for the call that it names, and in a short request for all of those.
 */
export function askedOf(
  { orders }: Request,
  call: Omit<Call, "times" | "trust">,
  said: readonly number[],
): Pick<Call, "times" | "trust"> {
  if (orders.length === 0) return { times: 0, trust: 1 };
  const isAbout = ({ stems }: Order): boolean =>
    stems.some((stem) => call.words.includes(stem) || stemsOfTool(call.tool).includes(stem));
  let times = 0;
  let trust = 1;
  for (const order of orders) {
    const isNamed = isAbout(order);
    if (!isNamed && !order.isAll) continue;
    if (order.isLook || (call.effect !== "look" && said.length >= 0)) times = Math.max(times, order.times);
    if (order.isSeries) trust = HINTED / 2;
  }
  return { times, trust };
}

const toolStems = new Map<string, readonly number[]>();

/** The stems of a tool's name. A host has few tools. */
function stemsOfTool(tool: string): readonly number[] {
  let stems = toolStems.get(tool);
  if (stems === undefined) {
    stems = tool
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word.length > 2)
      .map(stemOf);
    if (toolStems.size > 256) toolStems.clear();
    toolStems.set(tool, stems);
  }
  return stems;
}

function stemOf(word: string): number {
  let stem = FIRST;
  for (let at = 0; at < Math.min(5, word.length); at++) stem = mixed(stem, word.charCodeAt(at));
  return (stem ^ (stem >>> 16)) & 0xffff;
}
