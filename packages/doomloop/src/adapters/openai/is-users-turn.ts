import { MESSAGE_PREFIX } from "../../core/message-prefix.ts";
import { isUserBehindResult, type Spoken } from "../../host/is-user-behind-result.ts";
import type { Entry } from "./read-items.ts";

/**
 * Whether the user speaks in an entry of the user's. Right behind a result it may be a reminder that the loop adds each time, unless the run
 * has ended; and it may be our own words.
 */
export function isUsersTurn(entries: readonly Entry[], at: number, hasEnded: boolean): boolean {
  if (isOurs(entries[at]!)) return false;
  const spoken = entries
    .slice(0, at + 1)
    .filter((entry) => !isOurs(entry))
    .map(spokenOf);
  return hasEnded || spoken.findLast(({ by }) => by !== "user")?.by !== "result" || isUserBehindResult(spoken);
}

function spokenOf({ parts, item }: Entry): Spoken {
  if (parts.some(({ type }) => type === "user")) return { by: "user", content: item.content };
  return { by: parts.some(({ type }) => type === "result") ? "result" : "other", content: undefined };
}

function isOurs({ parts }: Entry): boolean {
  return parts.some((part) => part.type === "user" && part.text.startsWith(MESSAGE_PREFIX));
}
