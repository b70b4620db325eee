import { count } from "./count.ts";
import type { Totals } from "./report.ts";

/** How many sessions there are, and how many agents were at work in them where that is another number: `1 session, 2 agents`. */
export function sessionsInWords({ sessions, agents }: Pick<Totals, "sessions" | "agents">): string {
  const whole = count(sessions, "session");
  return agents === sessions ? whole : `${whole}, ${count(agents, "agent")}`;
}
