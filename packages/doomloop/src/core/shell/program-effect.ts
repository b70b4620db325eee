import { baseName } from "./base-name.ts";
import { HOSTS, PROGRAMS, Rank, SUBCOMMANDS, TURNING_ARGUMENTS } from "./programs.ts";

/** Options before a subcommand that take the next word as their value. */
const VALUED = /^(?:-[CcnfpwH]|--(?:namespace|context|file|prefix|git-dir|work-tree|kubeconfig))$/;
/** What makes these list what they would change otherwise: nothing behind them, a question, the name of one setting. */
const LISTING =
  /^(?:branch|tag|remote|submodule|notes|config)(?: --(?:local|global))?(?:$| (?:-[alnrv]+\d*|--(?:list|all|remotes|verbose|show-|contains|no-|merged|points-at|get))| [\w-]+\.\S+$)/;
const VERSION = /^(?:node|p?npm|yarn|bun|ruby|php|perl) -v$|^\S{1,80} (?:-V|-version)$/;
const ASKING = /^--(?:help|version|dry-run|check|diff|list|stdout|stat|spider)$/;
const ACTION = / -(?:exec|ok)(?:dir)? /;
type Rules = ReadonlyMap<string, readonly (readonly [RegExp, number])[]>;
let rulesByProgram: Rules | undefined;

/** The rules of each program, sorted when the first command is read: many a process reads none. */
function readRules(): Rules {
  const rules = new Map<string, (readonly [RegExp, number])[]>();
  for (const [programs, pattern, rank] of TURNING_ARGUMENTS)
    for (const program of programs.split(" ")) rules.set(program, [...(rules.get(program) ?? []), [pattern, rank]]);
  return rules;
}

/** What the program whose word stands at `from` does to the world: one of the ranks. */
export function programEffect(words: readonly string[], from: number): number {
  const word = words[from]!;
  const program = baseName(word);
  // A relative path names the project's own program, except where package managers put theirs.
  if (program !== word && !/^\/|nv\/bin\/|\.bin\//.test(word)) return Rank.unknown;
  const last = words.length > from + 1 ? words[words.length - 1]! : "";
  if (/^--(?:help|version)$/.test(last) || (words.length === from + 2 && VERSION.test(`${word} ${last}`)))
    return Rank.look;
  const effect = HOSTS.has(program) ? subcommandEffect(words, from, program) : effectByArguments(words, from, program);
  const isAsking = effect === Rank.change && words.some((option, index) => index > from && ASKING.test(option));
  return isAsking ? Rank.look : effect;
}

function effectByArguments(words: readonly string[], from: number, program: string): number {
  if (words[from + 2] === "pip" && program.startsWith("python")) return subcommandEffect(words, from + 2, "pip");
  rulesByProgram ??= readRules();
  const rules = rulesByProgram.get(program) ?? [];
  const text = rules.length === 0 ? "" : ` ${words.slice(from + 1).join(" ")}`;
  const rule = rules.find(([pattern]) => pattern.test(text));
  if (rule !== undefined) return rule[1];
  const actions = program === "find" ? text.split(ACTION).slice(1) : [];
  return Math.max(PROGRAMS.get(program) ?? Rank.unknown, ...actions.map((ran) => programEffect(ran.split(" "), 0)));
}

function subcommandEffect(words: readonly string[], from: number, program: string): number {
  const index = operandAfter(words, from);
  const name = words[index];
  // Without a subcommand most print their help; `yarn` installs.
  if (name === undefined) return program === "yarn" ? Rank.change : Rank.look;
  if (LISTING.test(words.slice(index, index + 4).join(" "))) return Rank.look;
  // What is no known verb may be a noun whose verb comes next: `docker image ls`.
  for (const verb of [name, words[operandAfter(words, index)] ?? ""]) {
    const known = SUBCOMMANDS.get(`${program}:${verb}`) ?? SUBCOMMANDS.get(verb);
    if (known !== undefined) return known;
  }
  return /^(?:stash|config)$/.test(name) ? Rank.change : Rank.unknown;
}

/** The index of the next word that is neither an option nor an option's value. */
export function operandAfter(words: readonly string[], from: number): number {
  let index = from + 1;
  while (index < words.length && /^[-+]/.test(words[index]!)) index += VALUED.test(words[index]!) ? 2 : 1;
  return index;
}
