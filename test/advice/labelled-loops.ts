import type { AgentEvent } from "doomloop";
import { step, times, user } from "../builders.ts";

/** A loop written by hand, and what a person who reads it calls its cause. The labels came before the rules. */
export interface LabelledLoop {
  readonly cause: string;
  readonly events: readonly AgentEvent[];
  /** No rule was changed because of this one. */
  readonly isHeldOut: boolean;
}

const fails = (tool: string, args: object, output: string) => step(tool, args, output, { error: true });
const bash = (command: string, output: string) => step("Bash", { command }, output);
const bashFails = (command: string, output: string) => fails("Bash", { command }, output);
const turns = (count: number, make: (at: number) => readonly AgentEvent[]) =>
  Array.from({ length: count }, (_, at) => make(at)).flat();
const COMPACTED: AgentEvent = { type: "compaction" };
const FILE = `${Array.from({ length: 30 }, (_, at) => `export const value${at} = ${at * 7};`).join("\n")}\n`;
const PAGE = "Orders\nEach order has an id, a state and a list of lines. The state is open, paid or sent.\n".repeat(6);
const FAIL = "FAIL src/cart.test.ts > total > adds tax\nAssertionError: expected 41 to be 42\n 1 failed, 19 passed";
const PYTEST =
  "E   assert 3 == 4\nFAILED tests/test_parser.py::test_nested - assert 3 == 4\n1 failed, 41 passed in 0.31s";
const edit = (at: number) =>
  step(
    "Edit",
    { file_path: "/x/cart.ts", old_string: `a${at}`, new_string: `b${at}` },
    `The file has been updated: ${at} lines now.`,
  );
const ls = step("Bash", { command: "ls src" }, "cart.ts\nindex.ts\ntax.ts\nuser.ts\norders.ts\nREADME.md\n");

const LOOPS: readonly (readonly [cause: string, events: readonly AgentEvent[]])[] = [
  // A result that was there already is asked for again.
  ["result-unread", times(7, step("Read", { file_path: "/x/auth.ts" }, FILE))],
  [
    "result-unread",
    [
      ...ls,
      ...times(
        6,
        bash(
          "cat package.json",
          `{"name":"shop","version":"1.0.0","scripts":{"test":"vitest"},${'"x":1,'.repeat(30)}"y":2}`,
        ),
      ),
    ],
  ],
  ["result-unread", times(6, step("read_file", { path: "docs/orders.md" }, PAGE))],
  [
    "result-unread",
    times(6, [
      ...step("Read", { file_path: "/x/a.ts" }, FILE),
      ...step("Read", { file_path: "/x/b.ts" }, `${FILE}// b`),
    ]),
  ],
  [
    "result-unread",
    [
      ...edit(1),
      ...times(
        7,
        bash(
          "git diff --stat HEAD~1",
          " src/cart.ts | 12 +++++++-----\n src/tax.ts  |  4 ++--\n 2 files changed, 9 insertions(+), 7 deletions(-)",
        ),
      ),
    ],
  ],
  ["result-unread", times(6, step("get_issue", { id: 4711 }, PAGE))],
  [
    "result-unread",
    ["cat a.ts", "head -40 a.ts", "sed -n 1,40p a.ts", "cat ./a.ts", "tail -40 a.ts", "cat a.ts"].flatMap((command) =>
      bash(command, FILE),
    ),
  ],
  // The tool, the program or the command does not exist.
  ["tool-missing", times(6, bashFails("rg TODO src", "bash: rg: command not found"))],
  ["tool-missing", times(6, fails("run_tests", { path: "." }, "Error: No such tool available: run_tests"))],
  [
    "tool-missing",
    ["pytest", "pytest -q", "pytest tests", "pytest -x", "pytest -v", "pytest -vv"].flatMap((command) =>
      bashFails(command, "/bin/sh: 1: pytest: not found"),
    ),
  ],
  ["tool-missing", times(6, fails("mcp__jira__search", { query: "cart" }, "Unknown tool: mcp__jira__search"))],
  [
    "tool-missing",
    times(
      6,
      bashFails(
        "npm run typecheck",
        'npm error Missing script: "typecheck"\nnpm error To see a list of scripts, run:\nnpm error   npm run',
      ),
    ),
  ],
  [
    "tool-missing",
    times(
      6,
      fails(
        "shell",
        { command: "docker ps" },
        "'docker' is not recognized as an internal or external command,\noperable program or batch file.",
      ),
    ),
  ],
  // Somebody has to open the door.
  ["closed-door", times(6, bashFails("cat /etc/shadow", "cat: /etc/shadow: Permission denied"))],
  [
    "closed-door",
    times(6, fails("fetch", { url: "https://api.example.com/orders" }, "HTTP 401 Unauthorized: invalid API key")),
  ],
  [
    "closed-door",
    times(
      6,
      bashFails(
        "git push origin main",
        "remote: Permission to acme/shop.git denied to bot.\nfatal: unable to access 'https://github.com/acme/shop.git/': The requested URL returned error: 403",
      ),
    ),
  ],
  [
    "closed-door",
    ["a", "b", "c", "d", "e", "f"].flatMap((name) =>
      fails(
        "write_file",
        { path: `/srv/${name}.ts`, content: name },
        `EACCES: permission denied, open '/srv/${name}.ts'`,
      ),
    ),
  ],
  [
    "closed-door",
    times(
      6,
      bashFails(
        "curl -s https://packages.example.org/left-pad",
        "curl: (6) Could not resolve host: packages.example.org",
      ),
    ),
  ],
  ["closed-door", times(6, fails("Bash", { command: "sudo apt-get install jq" }, "sudo: a password is required"))],
  [
    "closed-door",
    times(
      6,
      fails(
        "kubectl_get",
        { kind: "pods" },
        'Error from server (Forbidden): pods is forbidden: User "bot" cannot list resource "pods"',
      ),
    ),
  ],
  // The text to replace is not in the file.
  [
    "edit-mismatch",
    times(
      6,
      fails(
        "Edit",
        { file_path: "/x/cart.ts", old_string: "let a = 1", new_string: "let a = 2" },
        "String to replace not found in file.\nString: let a = 1",
      ),
    ),
  ],
  [
    "edit-mismatch",
    turns(6, (at) =>
      fails(
        "Edit",
        { file_path: "/x/cart.ts", old_string: `return total${" ".repeat(at)};`, new_string: "return sum;" },
        "String to replace not found in file.",
      ),
    ),
  ],
  [
    "edit-mismatch",
    times(
      6,
      fails(
        "str_replace_editor",
        { command: "str_replace", path: "/x/a.py", old_str: "foo", new_str: "bar" },
        "No replacement was performed, old_str `foo` did not appear verbatim in /x/a.py.",
      ),
    ),
  ],
  [
    "edit-mismatch",
    times(
      6,
      fails(
        "apply_patch",
        { patch: "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch" },
        "Failed to find expected lines in a.ts:\nx",
      ),
    ),
  ],
  [
    "edit-mismatch",
    times(
      6,
      fails(
        "replace",
        { file_path: "a.go", old_string: "x := 1", new_string: "x := 2" },
        "Failed to edit, 0 occurrences found for old_string in a.go. No edits made.",
      ),
    ),
  ],
  [
    "edit-mismatch",
    times(
      6,
      fails(
        "Edit",
        { file_path: "/x/a.ts", old_string: "}", new_string: "};" },
        "Found 14 matches of the string to replace, but replace_all is false. To replace only one occurrence, please provide more context.",
      ),
    ),
  ],
  // The same tests again, and nothing was changed.
  ["test-without-edit", times(7, bashFails("npm test", FAIL))],
  ["test-without-edit", [...edit(1), ...times(6, bashFails("pytest -q", PYTEST))]],
  ["test-without-edit", times(6, [...bashFails("npm test", FAIL), ...step("Read", { file_path: "/x/cart.ts" }, FILE)])],
  ["test-without-edit", times(6, fails("run_tests", { path: "tests" }, PYTEST))],
  [
    "test-without-edit",
    times(
      6,
      bashFails(
        "cargo test",
        "test parser::nested ... FAILED\nthread 'parser::nested' panicked at src/parser.rs:40:9\ntest result: FAILED. 41 passed; 1 failed",
      ),
    ),
  ],
  [
    "test-without-edit",
    times(
      6,
      bashFails(
        "npx tsc --noEmit",
        "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      ),
    ),
  ],
  // Changes do not help.
  ["fix-without-effect", turns(7, (at) => [...edit(at), ...bashFails("npm test", FAIL)])],
  [
    "fix-without-effect",
    turns(7, (at) => [
      ...step("Write", { file_path: "/x/fix.py", content: `x = ${at}` }, `File written (${at})`),
      ...bashFails("pytest -q", PYTEST),
    ]),
  ],
  [
    "fix-without-effect",
    turns(7, (at) => [
      ...step("Read", { file_path: `/x/f${at}.ts` }, `text ${at}`),
      ...edit(at),
      ...bashFails(
        "npm run build",
        "error TS2322: Type 'string' is not assignable to type 'number'.\n  src/cart.ts:4:7",
      ),
    ]),
  ],
  // The call succeeds and says nothing, so the agent does it again.
  ["silent-success", times(12, step("click", { selector: "#save" }, "Clicked"))],
  [
    "silent-success",
    times(
      12,
      step(
        "send_message",
        { to: "ops", text: "The deployment of the shop is finished, please have a look at the logs." },
        "ok",
      ),
    ),
  ],
  ["silent-success", times(12, step("set_config", { key: "retries", value: 3 }, ""))],
  [
    "silent-success",
    times(
      12,
      step(
        "TodoWrite",
        { todos: ["write tests", "fix cart", "update the docs of the orders"] },
        "Todos have been modified successfully.",
      ),
    ),
  ],
  [
    "silent-success",
    times(
      12,
      step(
        "update_record",
        { id: 7, state: "paid", note: "paid by card on the second of May" },
        "updated successfully",
      ),
    ),
  ],
  // The conversation was compacted, and what was known is looked up again.
  [
    "lost-after-compaction",
    [
      ...step("Read", { file_path: "/x/a.ts" }, FILE),
      COMPACTED,
      ...times(7, step("Read", { file_path: "/x/a.ts" }, FILE)),
    ],
  ],
  [
    "lost-after-compaction",
    [
      ...ls,
      ...bash("cat NOTES.md", PAGE),
      COMPACTED,
      ...bash("cat NOTES.md", PAGE),
      COMPACTED,
      ...times(6, bash("cat NOTES.md", PAGE)),
    ],
  ],
  [
    "lost-after-compaction",
    [...step("get_issue", { id: 1 }, PAGE), user("go on"), COMPACTED, ...times(7, step("get_issue", { id: 1 }, PAGE))],
  ],
  [
    "lost-after-compaction",
    [
      ...times(2, step("read_file", { path: "plan.md" }, PAGE)),
      COMPACTED,
      ...ls,
      ...times(7, step("read_file", { path: "plan.md" }, PAGE)),
    ],
  ],
  // Searches in other words that find nothing.
  [
    "nothing-found",
    [
      "rate limit orders",
      "orders rate limit",
      "rate limits of orders",
      "order rate limit",
      "limit of orders rate",
      "orders api rate limit",
    ].flatMap((query) => step("search", { query }, "no results")),
  ],
  [
    "nothing-found",
    ["getTotal", "get_total", "GetTotal", "get-total", "gettotal", "GET_TOTAL"].flatMap((pattern) =>
      step("Grep", { pattern, path: "src" }, "No matches found"),
    ),
  ],
  ["nothing-found", times(7, step("Grep", { pattern: "computeTax", path: "src" }, "No matches found"))],
  // The world takes its time.
  ["impatient", times(40, step("check_job", { job: 7 }, "state: running, 40 % done"))],
  ["impatient", times(40, bash("gh run view 123 --json status", '{"status":"in_progress"}'))],
  ["impatient", times(40, step("get_deployment_status", { id: "web" }, '{"state":"pending","replicas":0}'))],
];

/** Two of five are held out. */
export const LABELLED_LOOPS: readonly LabelledLoop[] = LOOPS.map(([cause, events], at) => ({
  cause,
  events,
  isHeldOut: at % 5 === 1 || at % 5 === 3,
}));
