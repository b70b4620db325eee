import {
  forgetOpinion,
  type OpinionSetting,
  opinionFault,
  readOpinion,
  saveOpinion,
  shownEndpoint,
} from "../../service/opinion-setting.ts";
import { OPINION_LIMITS } from "../../service/session-opinions.ts";
import { printable } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";

export interface OpinionOptions {
  /** Whom to ask. `none`: nobody any more. */
  readonly opinionUrl?: string;
  readonly opinionModel?: string;
  readonly opinionShows?: "text" | "shapes";
}

/** What the user wants now. Undefined: it stays as it is. */
export type OpinionChoice = OpinionSetting | "none" | undefined;

/** What was asked for now, and for the rest what was chosen before. Throws a `UsageError` if nobody can be asked like that. */
export function chooseOpinion(
  { opinionUrl, opinionModel, opinionShows }: OpinionOptions,
  state: string,
  env: Readonly<Record<string, string | undefined>>,
): OpinionChoice {
  if (opinionUrl === undefined && opinionModel === undefined && opinionShows === undefined) return undefined;
  if (opinionUrl === "none" || opinionUrl === "") return "none";
  const before = readOpinion(state);
  const { url = before?.url, model = before?.model } = { url: opinionUrl, model: opinionModel };
  const given = env.DOOMLOOP_OPINION_KEY?.trim();
  const key = given === undefined ? keptKey(before, url) : given || undefined;
  const fault = opinionFault({ url, model, key });
  if (fault !== undefined) throw new UsageError(fault);
  const shows = opinionShows ?? before?.shows ?? "text";
  return { url: url!, model: model!, shows, ...(key !== undefined && { key }) };
}

/** A key is for one server, and is not sent to another. */
function keptKey(before: OpinionSetting | undefined, url: string | undefined): string | undefined {
  if (before === undefined || url === undefined || !URL.canParse(url)) return undefined;
  return new URL(before.url).origin === new URL(url).origin ? before.key : undefined;
}

/** Keeps the choice, and says what it means. */
export function keepOpinion(choice: OpinionChoice, state: string, say: (text: string) => unknown): void {
  if (choice === undefined) return;
  if (choice === "none") {
    forgetOpinion(state);
    say("Nobody is asked for a second opinion.");
    return;
  }
  saveOpinion(state, choice);
  const { shows, key, model } = choice;
  const what = shows === "shapes" ? "the shape of the session (no text)" : "a short excerpt of the session";
  const who = `${printable(model)}, ${key === undefined ? "without a key" : "with the key that you gave"}`;
  say(
    `Where the rules cannot tell, doomloop sends ${what} to ${printable(shownEndpoint(choice))} (${who}), at most ${OPINION_LIMITS.questions} times a run. To undo this: doomloop init --opinion-url none`,
  );
  if (!isPrivate(choice.url)) say("The address begins with http, so others on the way can read what is sent.");
}

/** Whether nobody on the way can read what is sent. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127\.[\d.]+$/.test(hostname);
}
