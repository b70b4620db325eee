import type { CallEvent } from "../../core/event.ts";
import { readArguments } from "../../core/identity/call-identity.ts";
import type { Step } from "../../core/memory/step.ts";
import { commandOf } from "../../core/progress/read-call.ts";
import type { Effect } from "../../core/progress/read-command.ts";
import { baseName, unwrap } from "../known-programs.ts";
import { readLine } from "../shell-words.ts";

/** What a call was for, as reports count it. */
export interface KindOfWork {
  readonly kind: Effect;
  /** It checks the work: a test, a type check, a linter, a build. */
  readonly isCheck: boolean;
  /** It changes files. A commit or an installation does not. */
  readonly isEdit: boolean;
}

type Worked = Pick<Step, "effect" | "isCommand" | "waitMs">;

const MAX_COMMAND = 1024;

/** Reads what a call was for. A guard only asks what a call may change, so it takes builds and commits for other acts. */
export function kindOfWork({ effect, isCommand, waitMs }: Worked, call: CallEvent | undefined): KindOfWork {
  const isCheck = effect === "test";
  if (!isCommand || isCheck || call === undefined || effect === "look")
    return { kind: waitMs > 0 && !isCheck ? "wait" : effect, isCheck, isEdit: effect === "write" && !isCommand };
  const { commands, targets } = readLine((commandOf(readArguments(call.args)) ?? "").slice(0, MAX_COMMAND));
  if (commands.some(isBuild)) return { kind: "test", isCheck: true, isEdit: false };
  const isEdit = effect === "write" && (commands.some(changesFiles) || targets.some(isFile));
  return { kind: waitMs > 0 ? "wait" : effect === "write" && !isEdit ? "act" : effect, isCheck, isEdit };
}

const BUILD =
  /^(?:make|gmake|ninja|webpack|rollup|esbuild|tsup|rustc|javac|gcc|g\+\+|clang|pyright|flake8|pylint|rubocop|shellcheck|golangci-lint|xcodebuild)\b|^(?:cargo|go|dotnet|swift|deno|vite|next|nuxt|ng|bazel|turbo|nx|flutter|zig|mix|sbt|stack|cabal) (?:build|compile|vet|lint)\b|^(?:npm|pnpm|yarn|bun)(?: run)? (?:build|compile|types|type-check|e2e|lint|verify)\b|^(?:npm|pnpm|yarn|bun) run (?:[\w-]{1,40}[:.-])?(?:build|check|e2e|lint|specs?|tests?|type-?check|verify)(?![a-z])|^cmake --build\b|^mvn (?:compile|package|verify)\b|^(?:gradle|gradlew) (?:build|assemble)\b|^biome (?:check|lint|ci)\b|^(?:prettier|black|isort) --check\b/;
const MAX_WORDS = 3;

/** Whether a command builds something or checks it in a way that a guard does not know. */
export function isBuild(words: readonly string[]): boolean {
  const [program = "", ...rest] = unwrap(words);
  return BUILD.test([baseName(program), ...rest.slice(0, MAX_WORDS - 1)].join(" "));
}

const CHANGING: ReadonlySet<string> = new Set(
  "rm mv cp mkdir rmdir touch tee ln patch truncate apply_patch".split(" "),
);

function changesFiles(words: readonly string[]): boolean {
  const [program = "", ...rest] = unwrap(words);
  const name = baseName(program);
  return CHANGING.has(name) || ((name === "sed" || name === "perl") && rest.some((word) => /^-\w{0,3}i/.test(word)));
}

function isFile(target: string): boolean {
  return target !== "" && !target.startsWith("/dev/") && !/^\d$/.test(target);
}
