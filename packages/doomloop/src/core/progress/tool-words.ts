import { setRecent } from "../collections/bounded.ts";
/**
 * What the words in a tool's name tell of it. Generic words only: a tool that is special to one host is declared by a
 * rule, not named here.
 */
export type ToolTrait =
  | "shell"
  | "code"
  | "database"
  | "wait"
  | "think"
  | "move"
  | "page"
  | "delegate"
  | "look"
  | "change";

/** Words that say what is done. */
const ACTING: Readonly<Partial<Record<ToolTrait, string>>> = {
  shell: "bash shell zsh sh terminal console powershell cmd exec execute command commands",
  wait: "wait sleep noop pause poll",
  think: "think thinking thought reason reflect",
  move: "scroll press next forward tab down up more",
  page: "click fill type hover select goto navigate back drag focus tap swipe",
  delegate: "delegate spawn handoff",
  look: "get find list search read view open look lookup fetch query calculate calc inspect visit show check cat grep ls glob describe count browse diff tail head stat exists verify validate compare load download retrieve screenshot snapshot",
  change:
    "write edit create update upsert delete remove insert replace patch apply modify cancel book send set add move rename upload commit push deploy install post put make mkdir append save store transfer return exchange pay reset undo archive assign dismiss",
};

/** Words that say what with: they count where no word says what is done. */
const NAMING: Readonly<Partial<Record<ToolTrait, string>>> = {
  code: "python ipython interpreter jupyter notebook repl code javascript",
  database: "sql sqlite postgres mysql database db",
  think: "plan",
  page: "surfer websurfer browser",
  delegate: "agent assistant subtask subagent task",
  look: "page web status info",
};

const MAX_NAME = 128;
const MAX_TOOLS = 256;
/** Traits depend on the name alone; a host's tools are few. */
const known = new Map<string, readonly ToolTrait[]>();

/**
 * The traits of a tool's name: those of acting words first, each kind in the order of the words. `mcp__postgres__insert_row` inserts,
 * `code_edit` edits, and `browser_wait_for` waits, whatever they do it with.
 */
export function traitsOf(tool: string): readonly ToolTrait[] {
  const name = tool.length > MAX_NAME ? tool.slice(0, MAX_NAME) : tool;
  let traits = known.get(name);
  if (traits === undefined) {
    const words = wordsOf(name);
    traits = [...new Set([...traitsIn(words, TRAIT_BY_ACT), ...traitsIn(words, TRAIT_BY_NAME)])];
    setRecent(known, name, traits, MAX_TOOLS);
  }
  return traits;
}

const TRAIT_BY_ACT = byWord(ACTING);
const TRAIT_BY_NAME = byWord(NAMING);

function byWord(words: Readonly<Partial<Record<ToolTrait, string>>>): ReadonlyMap<string, ToolTrait> {
  const entries = Object.entries(words) as [ToolTrait, string][];
  return new Map(entries.flatMap(([trait, list]) => list.split(" ").map((word) => [word, trait] as const)));
}

function traitsIn(words: readonly string[], traits: ReadonlyMap<string, ToolTrait>): ToolTrait[] {
  return words.map((word) => traits.get(word)).filter((trait) => trait !== undefined);
}

/** Lower-case words of a name in any usual spelling: snake, kebab, dotted, camel. */
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
