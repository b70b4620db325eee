import { rmSync } from "node:fs";
import { join } from "node:path";
import { isEndpoint } from "../opinion/ask-endpoint.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";
import { jsonIn, recordOf } from "../transcripts/foreign-value.ts";

/** Whom the resident guard asks for a second opinion, as the user told `init`. */
export interface OpinionSetting {
  readonly url: string;
  readonly model: string;
  /** What an excerpt shows: shortened text, or only shapes. */
  readonly shows: "text" | "shapes";
  readonly key?: string | undefined;
}

const VERSION = 1;
const MAX_BYTES = 20_000;
const MAX_URL = 2_000;
const MAX_MODEL = 200;
const MAX_KEY = 8_000;

/** What the user chose. Undefined if nobody is to be asked, or if the file cannot be read. */
export function readOpinion(state: string): OpinionSetting | undefined {
  return opinionIn(opinionText(state));
}

/** The file as it is, to see whether it has changed. */
export function opinionText(state: string): string | undefined {
  return readOwnFile(opinionFile(state), MAX_BYTES);
}

export function opinionIn(text: string | undefined): OpinionSetting | undefined {
  const { version, url, model, shows, key } = recordOf(jsonIn(text)) ?? {};
  if (version !== VERSION || opinionFault({ url, model, key }) !== undefined) return undefined;
  const own = { url: url as string, model: model as string, shows: shows === "shapes" ? shows : "text" } as const;
  return typeof key === "string" ? { ...own, key } : own;
}

/** Why nobody can be asked like this, in words that name the options of `init`. Undefined if somebody can. */
export function opinionFault({
  url,
  model,
  key,
}: { readonly [Name in "url" | "model" | "key"]?: unknown }): string | undefined {
  if (typeof url !== "string" || url.length > MAX_URL || !isEndpoint(url))
    return "--opinion-url: an http or https address without a password is required, such as http://127.0.0.1:11434/v1";
  if (typeof model !== "string" || model.trim() === "" || model.length > MAX_MODEL)
    return "--opinion-model: the name of a model is required";
  // Other characters cannot stand in a header.
  if (key !== undefined && (typeof key !== "string" || key.length > MAX_KEY || !/^[!-~]+$/.test(key)))
    return "DOOMLOOP_OPINION_KEY: a key without spaces is required";
  return undefined;
}

export function saveOpinion(state: string, setting: OpinionSetting): void {
  makePrivateFolder(state);
  replaceFile(opinionFile(state), JSON.stringify({ version: VERSION, ...setting }));
}

/** Asks nobody any more, and forgets the key. */
export function forgetOpinion(state: string): void {
  rmSync(opinionFile(state), { force: true });
}

/** An address without what may be a secret in it. */
export function shownEndpoint({ url }: Pick<OpinionSetting, "url">): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Where the choice is kept, with the key: in the user's home, never in a repository. */
function opinionFile(state: string): string {
  return join(state, "opinion.json");
}
