import { baseName } from "./base-name.ts";
import { SCRIPT_RUNNERS, TEST_MODULES, TEST_PROGRAMS, TEST_SUBCOMMANDS } from "./test-programs.ts";

const INTERPRETER = /^(?:python|pypy)[\d.]*$/;
const OTHER_INTERPRETERS: ReadonlySet<string> = new Set(["node", "ruby", "php", "bash", "sh"]);
/** A script of a package that tests: `test`, `test:unit`, `tests`, but not `attest` or `testimonials`. */
const TEST_SCRIPT = /^(?:test|tests)(?:$|[:_.-])/;
const MAX_INTERPRETERS = 3;

/** Does the program at `from`, already behind its wrappers, run tests? */
export function isTestRun(words: readonly string[], from: number): boolean {
  let index = from;
  for (let turns = 0; turns < MAX_INTERPRETERS; turns++) {
    const program = baseName(words[index]!);
    if (isTestProgram(words, index, program)) return true;
    const isPython = INTERPRETER.test(program);
    if (!isPython && !OTHER_INTERPRETERS.has(program)) return false;
    if (program === "node" && words.includes("--test", index + 1)) return true;
    const module = isPython ? words.indexOf("-m", index + 1) : -1;
    if (module !== -1 && TEST_MODULES.has(words[module + 1] ?? "")) return true;
    index = module === -1 ? firstOperand(words, index + 1) : module + 1;
    if (index >= words.length) return false;
  }
  return false;
}

function isTestProgram(words: readonly string[], index: number, program: string): boolean {
  if (TEST_PROGRAMS.has(program)) return true;
  // `bin/test` and `./test` are a project's own; `test` and `/usr/bin/test` compare strings.
  const word = words[index]!;
  if (program === "test" && word !== program && !word.startsWith("/")) return true;
  const subcommands = TEST_SUBCOMMANDS.get(program);
  const runsScripts = SCRIPT_RUNNERS.has(program);
  if (subcommands === undefined && !runsScripts) return false;

  let operand = firstOperand(words, index + 1);
  let name = words[operand] ?? "";
  if (subcommands?.has(name)) return true;
  if (!runsScripts) return (program.startsWith("mvn") || program.startsWith("gradle")) && hasTestGoal(words, operand);
  if (name === "run" || name === "run-script") {
    operand = firstOperand(words, operand + 1);
    name = words[operand] ?? "";
    return TEST_SCRIPT.test(name) || TEST_PROGRAMS.has(name);
  }
  return (
    TEST_SCRIPT.test(name) || (program === "npm" && name === "t") || (program !== "npm" && TEST_PROGRAMS.has(name))
  );
}

/** Build tools take several goals: `mvn clean test`, `gradle :core:test`. */
function hasTestGoal(words: readonly string[], from: number): boolean {
  for (let index = from; index < words.length; index++) {
    const word = words[index]!;
    if (word === "test" || word === "verify" || word.endsWith(":test")) return true;
  }
  return false;
}

function firstOperand(words: readonly string[], from: number): number {
  let index = from;
  while (index < words.length && words[index]!.startsWith("-")) index++;
  return index;
}
