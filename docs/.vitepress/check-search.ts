import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import MiniSearch from "minisearch";

/** What people look for, and the page that they should find first. */
const WANTED: Readonly<Record<string, string>> = {
  "false positive": "false-positives",
  polling: "how-it-decides",
  changelog: "changelog",
  migration: "migration",
  python: "any-language",
  troubleshooting: "troubleshooting",
  faq: "faq",
  fleet: "fleet",
  litellm: "gateways",
  messages: "messages",
  telemetry: "telemetry",
  "infinite loop": "how-it-decides",
  disable: "faq",
  "turn it off": "faq",
  uninstall: "coding-agents",
  "does it call a model": "faq",
  "how fast": "faq",
  performance: "speed",
  overhead: "faq",
  privacy: "security",
  docker: "faq",
  windows: "faq",
  "shadow mode": "guard",
  "redis down": "fleet",
  install: "",
};

/**
 * Prefers first answers to the rest, pages for users to those for contributors, and both to the API, which has every word in many places. Runs in the browser: it sees
 * nothing of this file.
 */
export const boostDocument = (id: string): number => {
  if (id.includes("/api/")) return 0.2;
  if (/\/(?:how-it-decides|faq|troubleshooting)/.test(id)) return 1.5;
  const isForContributors =
    /\/(?:architecture|contributing|coverage|decisions|follow-one-event|releasing|security-policy)/.test(id);
  return isForContributors ? 0.5 : 1;
};

/** Throws if the search of the built site does not find the right page first. The search is the one of VitePress' search box. */
export async function checkSearch(out: string, base: string): Promise<void> {
  const [file] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: out });
  if (file === undefined) throw new Error("the site has no index of its search");
  const { default: json } = (await import(pathToFileURL(join(out, file)).href)) as { default: string };
  const index = MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument },
  });
  const wrong = Object.entries(WANTED).flatMap(([words, page]) => {
    const found = String(index.search(words)[0]?.id ?? "nothing")
      .replace(base, "")
      .replace(/#.*$/, "");
    return found.replace(/\/$/, "") === page ? [] : [`${words}: ${page} is wanted first, got ${found}`];
  });
  if (wrong.length > 0) throw new Error(`searches that find another page first:\n${wrong.join("\n")}`);
}
