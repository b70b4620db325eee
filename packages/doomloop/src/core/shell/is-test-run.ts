import { baseName, operandAfter } from "./programs.ts";

/** Programs and Python modules that run tests. */
const TEST_PROGRAM =
  /^(?:pytest|py\.test|nose2?|nosetests|unittest|doctest|tox|nox|(?:twisted\.)?trial|jest|vitest|mocha|ava|jasmine|karma|cypress|rspec|phpunit|pest|ctest|gotestsum|ginkgo|bats|prove|run[-_]?tests(?:\.\w{1,3})?)$/;
const INTERPRETER = /^(?:(?:python|pypy)[\d.]*|node|ruby|php|bash|sh)$/;
const BUILDER = /^(?:g?make|ninja|just|mvnw?|gradlew?|rake|dune)$/;
/** A first argument that tests: `test`, `test:unit`, but not `attest`, `testimonials`, `tests` or `test_x.py`. */
const TEST_ARGUMENT = /^(?:test|nextest)(?:$|[:-])/;
/** The same where goals or scripts are named, and nothing else. */
const TEST_GOAL = /^(?:.{0,80}:)?(?:tests?|runtest|check|spec|verify)(?:$|[:_.-])/;

/** Does the program at `from`, already behind its wrappers, run tests? */
export function isTestRun(words: readonly string[], from: number): boolean {
  let index = from;
  while (INTERPRETER.test(baseName(words[index] ?? ""))) {
    if (words[index] === "node" && words.includes("--test", index + 1)) return true;
    index = operandAfter(words, index);
  }
  const word = words[index] ?? "";
  const program = baseName(word);
  // `bin/test` and `./test` are a project's own; `test` and `/usr/bin/test` compare strings.
  if (TEST_PROGRAM.test(program) || /^[^/].*\/test$/.test(word)) return true;

  const isBuilder = BUILDER.test(program);
  const operand = operandAfter(words, index);
  const isScript = /^run(?:-script)?$/.test(words[operand] ?? "");
  const first = isScript ? operandAfter(words, operand) : operand;
  // Builders take several goals: `mvn clean test`.
  const goals = words.slice(first, isBuilder ? words.length : first + 1);
  const pattern = isBuilder || isScript ? TEST_GOAL : TEST_ARGUMENT;
  return goals.some((goal) => pattern.test(goal) || TEST_PROGRAM.test(goal));
}
