import type { HostReport, HostRequest } from "./adapter-driver.ts";

/** All that the guard says to an agent begins so. */
export const WORDS = "[doomloop]";

/** What somebody outside can tell two runs apart by, but for how long they took. */
export function visible({ requests, outcome, error, approvals }: HostReport, executed: readonly string[] = []) {
  const raw = requests.map((request) => timeless(request.raw));
  return { requests: raw, outcome, error: error && String(error), approvals, executed };
}

/** The same without the seconds that words of ours mention. */
function timeless(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? value : JSON.parse(text.replaceAll(/ \(\d+ (?:second|minute)s?\) ago/g, " ago"));
}

/** All texts in plain data, whatever holds them. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** All that the model reads in a request. */
export function textOf(request: HostRequest | undefined): string {
  const parts = request?.messages.flatMap(({ parts }) => parts) ?? [];
  return parts.map((part) => ("text" in part ? part.text : "")).join("\n");
}

export function countOf(request: HostRequest | undefined, words: string): number {
  return textOf(request).split(words).length - 1;
}
