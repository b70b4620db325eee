import { setRecent } from "../collections/bounded.ts";
import { wordList, wordSet } from "../collections/word-list.ts";

/**
 * What the words in a tool's name say about it. Only generic words: a tool of one host is declared by a rule, not
 * named here.
 */
export type ToolTrait =
  | "shell"
  | "code"
  | "database"
  | "waits"
  | "measures"
  | "asks"
  | "says"
  | "looks"
  | "moves"
  | "page"
  | "steps"
  | "writes";

/** Words for what is done. */
const ACTING: Readonly<Partial<Record<ToolTrait, string>>> = {
  shell: "bash shell zsh sh ssh terminal console powershell cmd exec execute command commands",
  waits: "wait sleep noop pause poll",
  measures: "measure benchmark bench sample weigh",
  asks: "ask clarify delegate spawn handoff",
  says: "think thinking thought reason reflect remember memorize send reply notify post comment publish message tweet pay charge refund book order buy purchase transfer announce say speak",
  looks:
    "get find list search read view open look lookup fetch query calculate calc inspect visit show check cat grep ls glob describe count browse diff tail head stat exists verify validate compare load download retrieve receive screenshot snapshot capture dump recall peek monitor",
  moves: "scroll press next forward tab down up more",
  page: "click fill type hover select goto navigate back drag focus tap swipe",
  steps:
    "move turn rotate step play start stop restart trigger launch run toggle undo redo pop ack advance add append insert increment",
  writes:
    "write edit create update upsert delete remove replace patch apply modify cancel set rename upload commit push deploy install put make mkdir save store return exchange reset archive assign dismiss",
};

/** Words for what it is done with. They count if no word says what is done. */
const NAMING: Readonly<Partial<Record<ToolTrait, string>>> = {
  code: "python ipython interpreter jupyter notebook repl code javascript",
  database: "sql sqlite postgres mysql database db",
  page: "surfer websurfer browser",
  asks: "agent assistant subtask subagent task question clarification approval followup completion",
  says: "plan",
  looks: "page web info details inbox history",
};

/** Writing one of these says something, to somebody or to oneself. */
const SAID_WORDS = wordSet(
  "mail email sms ticket invoice payment plan note notes memory memories observation observations",
);
const STATE_WORDS = wordSet("status state health progress info result results logs log details");
/** Verbs that change a state: `update_status` does not ask for one. */
const CHANGING_VERBS = wordSet(
  "update set change edit put patch post send write create add delete remove modify reset clear save",
);
/** Words for things in the workspace. */
const INSIDE_WORDS = wordSet(
  "glob grep file files folder directory dir symbol code repo git workspace think plan todo todos memory",
);

const MAX_NAME_READ = 128;
const MAX_REMEMBERED = 256;

/** A tool, by its name. */
export interface ToolName {
  /** What its words say: first what is done, then what with, each in order. */
  readonly traits: readonly ToolTrait[];
  /** It is about something in the workspace. */
  readonly isInside: boolean;
}

/** A host has few tools, so each name is read once. */
const known = new Map<string, ToolName>();

/**
 * Reads a tool's name. Verbs count in its last part only: `mcp__postgres__insert_row` inserts, `code_edit` edits, `browser_wait_for` waits.
 */
export function readToolName(tool: string): ToolName {
  const name = tool.length > MAX_NAME_READ ? tool.slice(0, MAX_NAME_READ) : tool;
  let read = known.get(name);
  if (read === undefined) {
    const words = wordsOf(name.slice(0, lastPartOf(name)));
    const last = wordsOf(name.slice(lastPartOf(name)));
    read = {
      traits: traitsIn(last, [...last, ...words]),
      isInside: [...last, ...words].some((word) => INSIDE_WORDS.has(word)),
    };
    setRecent(known, name, read, MAX_REMEMBERED);
  }
  return read;
}

const TRAIT_BY_ACT = byWord(ACTING);
const TRAIT_BY_NAME = byWord(NAMING);

function traitsIn(last: readonly string[], all: readonly string[]): readonly ToolTrait[] {
  const acting = traitsBy(TRAIT_BY_ACT, last);
  const naming = traitsBy(TRAIT_BY_NAME, all);
  // The last word decides: `deploy_status` deploys nothing, `archive_search` archives nothing.
  const [end = ""] = last.slice(-1);
  const asksForState =
    last.length > 1 && !CHANGING_VERBS.has(last[0]!) && (STATE_WORDS.has(end) || TRAIT_BY_ACT.get(end) === "looks");
  const isSaid = acting[0] !== "looks" && last.some((word) => SAID_WORDS.has(word) || word.startsWith("todo"));
  return [...new Set([...(asksForState ? ["looks" as const] : isSaid ? ["says" as const] : []), ...acting, ...naming])];
}

function byWord(words: Readonly<Partial<Record<ToolTrait, string>>>): ReadonlyMap<string, ToolTrait> {
  const entries = Object.entries(words) as [ToolTrait, string][];
  return new Map(entries.flatMap(([trait, list]) => wordList(list).map((word) => [word, trait] as const)));
}

function traitsBy(traits: ReadonlyMap<string, ToolTrait>, words: readonly string[]): ToolTrait[] {
  return words.map((word) => traits.get(word)).filter((trait) => trait !== undefined);
}

/** Where the last part of a name begins, after the name of a server or a group. */
function lastPartOf(name: string): number {
  return Math.max(
    0,
    ...[".", "__", "/", ":"].map((mark) => (name.includes(mark) ? name.lastIndexOf(mark) + mark.length : 0)),
  );
}

/** The words of a name in lower case, in any usual spelling: snake, kebab, dotted, camel. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let word = "";
  let wasLower = false;
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at);
    const isUpper = unit >= 65 && unit <= 90;
    const isLower = unit >= 97 && unit <= 122;
    if (word !== "" && (!(isUpper || isLower) || (isUpper && wasLower))) {
      words.push(word);
      word = "";
    }
    if (isUpper || isLower) word += String.fromCharCode(unit | 32);
    wasLower = isLower;
  }
  if (word !== "") words.push(word);
  return words;
}
