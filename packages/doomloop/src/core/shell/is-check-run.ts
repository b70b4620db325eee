import { isTestRun } from "./is-test-run.ts";
import { baseName, isAssignment, operandAfter, unwrap } from "./programs.ts";
import { tokenize } from "./tokenize.ts";

/** Programs that only say whether the work is right. */
const CHECKER =
  /^(?:tsc|tsgo|vue-tsc|svelte-check|eslint|oxlint|biome|standard|stylelint|ruff|flake8|pylint|mypy|pyright|basedpyright|rubocop|shellcheck|golangci-lint|staticcheck|clippy|phpstan|psalm|ktlint|swiftlint|javac|rustc)$/;
/** Programs that run what their arguments name. */
const RUNNER =
  /^(?:npm|pnpm|yarn|bun|deno|turbo|nx|lerna|cargo|go|g?make|ninja|just|task|rake|mvnw?|gradlew?|sbt|bazel|dotnet|swift|zig|mix|dune|stack|cabal|cmake|hatch|poetry|vite|next|webpack|rollup|tsup|xcodebuild)$/;
const SCRIPT_RUNNER = /^(?:(?:python|pypy)[\d.]*|node|bun|deno|ruby|php|perl|(?:ba|z|da)?sh)$/;
/** What a runner is asked for, if it checks: `build`, `lint:fix`, `@app/web:typecheck`. */
const GOAL =
  /^(?:.{0,80}:)?(?:tests?|specs?|checks?|verify|validate|lint|build|compile|types?|type-?check|tsc|clippy|vet)(?:$|[:_.-])/;
/** The name of a script that checks: `test.sh`, `run_checks.py`, `ci-build`. */
const SCRIPT = /(?:^|[_.-])(?:tests?|specs?|checks?|verify|lint|build|type-?check)(?:$|[_.-])/;
const COMMIT = /^(?:commit|merge|rebase|cherry-pick|am)$/;
/** Longer commands are not read. */
const MAX_LENGTH = 16_384;

/** Whether a command line runs something that says whether the work is right: tests, a build, a linter, a type checker. */
export function isCheckRun(command: string): boolean {
  return programsIn(command).some(({ words, from }) => isCheck(words, from));
}

/** Whether a command line commits to the repository. */
export function isCommit(command: string): boolean {
  return programsIn(command).some(
    ({ words, from }) => baseName(words[from] ?? "") === "git" && COMMIT.test(words[operandAfter(words, from)] ?? ""),
  );
}

interface Program {
  readonly words: readonly string[];
  /** Where the program's name is, behind its wrappers. */
  readonly from: number;
}

function programsIn(command: string): readonly Program[] {
  if (command.length > MAX_LENGTH) return [];
  return tokenize(command).commands.map(({ words }) => {
    let start = 0;
    while (isAssignment(words[start])) start++;
    return { words, from: unwrap(words, start, []) };
  });
}

function isCheck(words: readonly string[], from: number): boolean {
  const word = words[from] ?? "";
  const program = baseName(word);
  if (isTestRun(words, from) || CHECKER.test(program)) return true;
  const operand = operandAfter(words, from);
  const first = words[operand] ?? "";
  if (RUNNER.test(program)) {
    const goal = /^run(?:-script)?$/.test(first) ? (words[operandAfter(words, operand)] ?? "") : first;
    // `make` alone builds.
    return GOAL.test(goal) || (goal === "" && /^(?:g?make|ninja)$/.test(program));
  }
  if (SCRIPT_RUNNER.test(program)) return SCRIPT.test(baseName(first));
  // `./test.sh` is the project's own; `test` compares strings.
  return word !== program && SCRIPT.test(program);
}
