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

const WORDS: Readonly<Record<ToolTrait, string>> = {
  shell: "bash shell zsh sh terminal console powershell cmd exec execute command",
  code: "python ipython interpreter jupyter notebook repl code javascript",
  database: "sql sqlite postgres mysql database db",
  wait: "wait sleep noop pause poll",
  think: "think thinking thought reason reflect plan",
  move: "scroll press next forward tab down up more",
  page: "click fill type hover select goto navigate back drag focus surfer websurfer browser",
  delegate: "delegate agent assistant spawn subtask subagent handoff task",
  look: "get find list search read view open look lookup fetch query calculate calc inspect visit show check cat grep ls glob page web describe count status info browse help answer submit final report diff tail head stat exists verify validate compare load download",
  change:
    "write edit create update delete remove insert replace patch apply modify cancel book send set add move rename upload commit push deploy install post put make mkdir append save store transfer return exchange pay reset undo",
};

const TRAIT_BY_WORD: ReadonlyMap<string, ToolTrait> = new Map(
  (Object.keys(WORDS) as ToolTrait[]).flatMap((trait) => WORDS[trait].split(" ").map((word) => [word, trait] as const)),
);

const MAX_NAME = 128;

/** The traits of a tool's name, in the order of its words: `mcp__fs__read_file` gives `["look"]`. */
export function toolTraits(tool: string): readonly ToolTrait[] {
  const traits: ToolTrait[] = [];
  for (const word of wordsOf(tool)) {
    const trait = TRAIT_BY_WORD.get(word);
    if (trait !== undefined && !traits.includes(trait)) traits.push(trait);
  }
  return traits;
}

/** Lower-case words of a name in any usual spelling: snake, kebab, dotted, camel. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let word = "";
  let wasLower = false;
  for (let at = 0; at < Math.min(name.length, MAX_NAME); at++) {
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
