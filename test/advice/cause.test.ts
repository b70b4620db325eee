import type { AgentEvent } from "doomloop";
import { expect, it } from "vitest";
import { closeRun } from "../../packages/doomloop/src/scan/close-run.ts";
import { watchRun } from "../../packages/doomloop/src/scan/watch-run.ts";
import { call, step, text, times, user } from "../builders.ts";

type Steps = readonly AgentEvent[];

const failing = (tool: string, args: object, output: string): Steps => step(tool, args, output, { error: true });
const turns = (count: number, make: (at: number) => Steps): Steps =>
  Array.from({ length: count }, (_, at) => make(at)).flat();
const COMPACTED: AgentEvent = { type: "compaction" };

/** The same call again and again, with the same answer; one that fails, and one that works. */
const fails = (tool: string, args: object, output: string): Steps => times(7, failing(tool, args, output));
const works = (tool: string, args: object, output: string): Steps => times(7, step(tool, args, output));
const repeats = (steps: Steps): Steps => times(7, steps);

// Claude Code.
const bash = (command: string, output: string): Steps => step("Bash", { command, description: "Run it" }, output);
const bashFails = (command: string, output: string): Steps =>
  failing("Bash", { command, description: "Run it" }, `Exit code 1\n${output}`);
const read = (name: string, output: string): Steps => step("Read", { file_path: `/repo/${name}` }, output);
const edit = (at: number): Steps =>
  step(
    "Edit",
    { file_path: "/repo/src/cart.js", old_string: `before ${at}`, new_string: `after ${at}` },
    `The file /repo/src/cart.js has been updated. Here's the result of running \`cat -n\`:\n  ${at}\tafter ${at}`,
  );
// Codex CLI.
const exec = (cmd: string, output: string, code = 0): Steps =>
  step(
    "exec_command",
    { cmd },
    `Chunk ID: 4f1a\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
  );
const patch = (at: number): Steps =>
  step(
    "apply_patch",
    {
      input: `*** Begin Patch\n*** Update File: src/queue.rs\n@@\n-let a = ${at};\n+let a = ${at + 1};\n*** End Patch`,
    },
    "Success. Updated the following files:\nM src/queue.rs",
  );
// Gemini CLI.
const shell = (command: string, output: string, code: number): Steps =>
  step(
    "run_shell_command",
    { command },
    `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)`,
  );

const MODULE = Array.from(
  { length: 24 },
  (_, at) => `export function part${at}(order) { return order.lines[${at}]; }\n`,
).join("");
const GUIDE = "Release notes\nEach release has a tag, a date and a list of changes. Tags begin with v.\n".repeat(7);
const ORDERS = "Orders\nEach order has an id, a state and a list of lines. The state is open, paid or sent.\n".repeat(
  6,
);
const PAGE = `RootWebArea 'My orders'\n${Array.from({ length: 30 }, (_, at) => `  [${at}] link 'Order ${1000 + at}'`).join("\n")}`;
const JEST =
  "FAIL src/cart.test.js\n  ● rounds to cents\n    expect(received).toBe(expected)\nTests: 1 failed, 12 passed, 13 total";
const GO =
  "--- FAIL: TestMerge (0.00s)\n    merge_test.go:41: got 3 entries, want 4\nFAIL\nFAIL\texample.com/app/merge\t0.004s\nFAIL";
const RUST =
  "error[E0502]: cannot borrow `queue` as mutable because it is also borrowed as immutable\n --> src/queue.rs:31:9\nerror: could not compile `queue`";
const PYTEST =
  "E   assert 3 == 4\nFAILED tests/test_parser.py::test_nested - assert 3 == 4\n1 failed, 41 passed in 0.31s";
const CARGO =
  "test parser::nested ... FAILED\nthread 'parser::nested' panicked at src/parser.rs:40:9\ntest result: FAILED. 41 passed; 1 failed";
const TSC = "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.";
const DENIED = "fatal: unable to access 'https://example.com/acme/app.git/': The requested URL returned error: 403";

/** Sessions written by hand in the manner of agents, by the cause that a person reads from them. */
const LOOPS: Readonly<Record<string, readonly Steps[]>> = {
  "tool-missing": [
    repeats(bashFails("fd -e rs", "/bin/bash: line 1: fd: command not found")),
    ["just test", "just build", "just --list", "just", "just check", "just ci"].flatMap((cmd) =>
      exec(cmd, "zsh:1: command not found: just", 127),
    ),
    ["pytest", "pytest -q", "pytest tests", "pytest -x", "pytest -v", "pytest -vv"].flatMap((command) =>
      bashFails(command, "/bin/sh: 1: pytest: not found"),
    ),
    fails(
      "find_symbol",
      { name: "total" },
      'Tool "find_symbol" not found in registry. Tools must use the exact names.',
    ),
    fails("run_tests", { path: "." }, "Error: No such tool available: run_tests"),
    fails("mcp__jira__search", { query: "cart" }, "Unknown tool: mcp__jira__search"),
    fails("bash", { command: "npm run e2e" }, 'npm error Missing script: "e2e"\nnpm error\nnpm error   npm run'),
    fails(
      "shell",
      { command: "docker ps" },
      "'docker' is not recognized as an internal or external command,\noperable",
    ),
    repeats(bash("head -c 16 a.bin | xxd -p | tr -d ' '", "/bin/bash: line 1: xxd: command not found\n0")),
  ],
  "closed-door": [
    [user("release it"), ...repeats(bashFails("git push", `remote: Permission denied to ci-bot.\n${DENIED}`))],
    repeats(exec("npm install left-pad", "npm error code EACCES\nnpm error syscall mkdir\nnpm error errno -13", 243)),
    ["orders", "users", "carts", "stocks", "prices", "taxes", "refunds"].flatMap((name) =>
      failing("webfetch", { url: `https://example.com/${name}` }, `Request failed: 401 Unauthorized (${name})`),
    ),
    ["a", "b", "c", "d", "e", "f"].flatMap((name) =>
      failing("write_file", { path: `/srv/${name}` }, `EACCES: permission denied, open '/srv/${name}'`),
    ),
    fails("run_query", { sql: "select * from payroll" }, "ERROR: permission denied for table payroll"),
    fails("fetch", { url: "https://api.example.com/orders" }, "HTTP 401 Unauthorized: invalid API key"),
    repeats(bashFails("cat /etc/shadow", "cat: /etc/shadow: Permission denied")),
    fails("Bash", { command: "sudo apt-get install jq" }, "sudo: a password is required"),
    fails("kubectl_get", { kind: "pods" }, "Error from server (Forbidden): pods is forbidden: cannot list resource"),
  ],
  "faulty-call": [
    ["totl", "totals", "total_sum", "tot", "sum_total", "amount_total", "grand"].flatMap((name) =>
      failing("run_query", { sql: `select ${name} from orders` }, `ERROR: Unknown column '${name}' in 'field list'`),
    ),
    repeats(
      shell("jq '.items[' a.json", "jq: error: syntax error, unexpected end of file, line 1:\njq: 1 compile error", 3),
    ),
    fails("mcp__jira__create", { summary: "Crash" }, "MCP error -32602: missing required parameter 'projectKey'"),
    repeats(bash("diff -u 0 a.txt b.txt | wc -l", "diff: extra operand 'b.txt'\ndiff: Try 'diff --help' for more.\n0")),
    repeats(bashFails("grep -e '(a' a.md | sort -k", "sort: option requires an argument -- 'k'\nTry 'sort --help'.")),
  ],
  "edit-mismatch": [
    turns(6, (at) =>
      failing(
        "Edit",
        { file_path: "/x/cart.ts", old_string: `return total${" ".repeat(at)};`, new_string: "return sum;" },
        "<tool_use_error>String to replace not found in file.</tool_use_error>",
      ),
    ),
    fails("apply_patch", { input: "*** Update File: a.rs\n@@\n-x\n+y" }, "Failed to find expected lines in a.rs:\nx"),
    fails("replace", { path: "/a.js", old: "x", new: "y" }, "Failed to edit, could not find the string to replace."),
    fails(
      "replace",
      { file_path: "a.go", old_string: "x" },
      "Failed to edit, 0 occurrences found for old_string in a.go.",
    ),
    fails(
      "edit",
      { path: "a.ts", oldText: "a", newText: "b" },
      "Could not find the exact text in a.ts. It must match exactly.",
    ),
    fails(
      "str_replace_editor",
      { path: "/a.py", old_str: "foo" },
      "No replacement was performed, old_str `foo` did not appear verbatim.",
    ),
    fails(
      "Edit",
      { file_path: "/a.ts", old_string: "}" },
      "Found 14 matches of the string to replace, but replace_all is false.",
    ),
  ],
  "test-without-edit": [
    [user("fix it"), ...read("src/cart.js", MODULE), ...repeats(bashFails("npx jest cart", JEST))],
    repeats([...exec("go test ./merge", GO, 1), ...exec("sed -n 30,60p merge/merge.go", MODULE)]),
    [...edit(1), ...fails("bash", { command: "cargo build" }, RUST)],
    fails("run_tests", { path: "tests" }, PYTEST),
    repeats(bashFails("cargo test", CARGO)),
    repeats(bashFails("npx tsc --noEmit", TSC)),
  ],
  "fix-without-effect": [
    turns(8, (at) => [...edit(at), ...bashFails("npx jest cart", JEST)]),
    turns(9, (at) => [
      ...exec(`rg part${at} src`, `src/q.rs: part${at}`),
      ...patch(at),
      ...exec("cargo build", RUST, 101),
    ]),
    turns(8, (at) => [
      ...step("edit", { filePath: "/repo/merge.go", oldString: `a${at}`, newString: `b${at}` }, ""),
      ...failing("bash", { command: "go test ./merge" }, GO),
    ]),
    turns(7, (at) => [
      ...step("Write", { file_path: "/x/fix.py", content: `x = ${at}` }, `File written (${at})`),
      ...bashFails("pytest -q", PYTEST),
    ]),
    turns(7, (at) => [...read(`f${at}.ts`, `text ${at}`), ...edit(at), ...bashFails("npm run build", TSC)]),
  ],
  "result-unread": [
    [user("add a part"), ...bash("ls", "src\ntest"), ...repeats(read("src/order.js", MODULE))],
    repeats(exec("sed -n 1,200p docs/release.md", GUIDE)),
    repeats([...step("read", { filePath: "/repo/a.js" }, MODULE), ...step("read", { filePath: "/repo/b.md" }, GUIDE)]),
    repeats(bash("cat package.json", `{"name":"shop","scripts":{"test":"vitest"},${'"x":1,'.repeat(30)}"y":2}`)),
    [
      ...edit(1),
      ...repeats(
        bash("git diff HEAD~1", " cart.ts | 12 +++++++-----\n tax.ts | 4 ++--\n 2 files changed, 9 insertions(+)"),
      ),
    ],
    ["cat a.ts", "head -40 a.ts", "sed -n 1,40p a.ts", "cat ./a.ts", "tail -40 a.ts", "cat a.ts"].flatMap((command) =>
      bash(command, MODULE),
    ),
  ],
  "lost-after-compaction": [
    [user("go on"), ...read("PLAN.md", GUIDE), ...edit(1), COMPACTED, ...repeats(read("PLAN.md", GUIDE))],
    [...exec("cat AGENTS.md", GUIDE), ...patch(1), COMPACTED, ...repeats(exec("cat AGENTS.md", GUIDE))],
    [
      ...bash("cat N.md", ORDERS),
      COMPACTED,
      ...bash("cat N.md", ORDERS),
      COMPACTED,
      ...repeats(bash("cat N.md", ORDERS)),
    ],
    [...step("get_issue", { id: 1 }, ORDERS), user("go on"), COMPACTED, ...works("get_issue", { id: 1 }, ORDERS)],
  ],
  "nothing-found": [
    ["parseInvoice", "parse_invoice", "InvoiceParser", "invoiceParser", "readInvoice", "loadInvoice"].flatMap(
      (pattern) => step("Grep", { pattern, path: "/repo/src" }, "No files found"),
    ),
    ["rate limit orders", "orders rate limit", "rate limits of orders", "order rate limit", "orders api limit"].flatMap(
      (query) => step("search", { query }, "no results"),
    ),
    works(
      "search",
      { query: "Atlantis 2020" },
      "No page with that title exists. Try one of these similar articles instead: Atlas.",
    ),
    works("Grep", { pattern: "computeTax", path: "src" }, "No matches found"),
    repeats(bash("ls -l /srv/shop | sort -k 5", "ls: cannot access '/srv/shop': No such file or directory")),
    works("search_flights", { from: "HAM", to: "OSL", date: "2026-05-10" }, "[]"),
  ],
  "already-done": [
    [user("save the form"), ...times(14, step("browser_click", { element: "Save", ref: "e12" }, "ok"))],
    times(
      12,
      step("send_email", { to: "ops@example.com", body: "The report of this week is attached." }, "Email sent."),
    ),
    times(12, step("todowrite", { todos: [{ content: "write the parser", status: "pending" }] }, "Todos updated")),
    times(12, step("TodoWrite", { todos: ["write tests", "fix cart"] }, "Todos have been modified successfully.")),
    times(12, step("update_record", { id: 7, state: "paid", note: "by card" }, "updated successfully")),
    times(12, step("transfer_to_agent", { summary: "The customer wants to change an order." }, "Transfer successful")),
  ],
  impatient: [
    times(60, step("check_deployment", { id: "web-7" }, '{"status":"pending","replicas":0}')),
    times(40, step("check_job", { job: 7 }, "state: running, 40 % done")),
    times(40, bash("gh run view 123 --json status", '{"status":"in_progress"}')),
    times(40, bash("cat build/job.status", "state: queued")),
  ],
  // Something repeats, and the steps do not say why.
  unknown: [
    [text("I will open the next page."), ...times(9, step("click", { id: 1131 }, PAGE))],
    fails("distance_matrix", { from: "Ulm", to: "Jena", mode: "car" }, "argument of type 'TravelMode' is not iterable"),
    times(14, step("think", { thought: "The customer does not answer. I will ask for the order number again." }, "")),
    turns(8, (at) => [
      ...bash(`npm install dep-${at}`, `added ${at + 1} packages in 2s`),
      ...bashFails("npx jest", JEST),
    ]),
    repeats([
      ...failing("bash", { command: "cat /root/notes.txt" }, "cat: /root/notes.txt: Permission denied"),
      ...failing("bash", { command: "jq '.items[' a.json" }, "jq: error: syntax error, unexpected end of file"),
    ]),
    repeats(
      exec("python3 train.py", "Traceback (most recent call last):\n    fit(model)\nValueError: loss is not finite", 1),
    ),
    // A record may have changed.
    works("get_issue", { id: 4711 }, ORDERS),
    [
      user("where is it"),
      ...works("get_order", { id: "#W55" }, `{"id":"#W55","items":[${'{"name":"cup","price":4.5},'.repeat(12)}{}]}`),
    ],
    // The name of a host may be wrong, or the network is not there.
    repeats(bashFails("curl -s https://example.org/left-pad", "curl: (6) Could not resolve host: example.org")),
    // Silence does not say that it worked.
    times(12, step("set_config", { key: "retries", value: 3 }, "")),
    times(12, bash("chmod -R go+rX public && git add -A", "")),
    // An action may be invalid because of the state.
    fails("click", { target: "Buy it now!" }, "Invalid action! Valid actions are: search, click on a shown button."),
    // A filter prints nothing for many reasons.
    repeats(bash("awk 'nf' notes.txt | tail -n 1", "")),
    fails("Bash", { command: "grep -r total src | grep -v test" }, ""),
    repeats(bash("jq -r '.items[].name' orders.json", "")),
    // A program's own console, not a shell.
    fails("console", { input: "enumusers" }, "command not found: enumusers"),
    repeats(bashFails("smbclient //files/share -c 'tree'", "tree: command not found")),
    fails("debugger", { input: "btrace" }, 'Undefined command: "btrace". Try "help".'),
    // What the shell took for a program is prose, or a piece of a pattern.
    repeats(bashFails("I am done with the task.", "/bin/bash: line 1: I: command not found")),
    repeats(
      bashFails('wc -l a | grep -vE "^ |^[[:space:]]+$"', "/bin/bash: line 1: ^[[:space:]]+$: command not found"),
    ),
    repeats(bashFails("ls -l | awk '{print $6}' | xargs ls", "ls: cannot access 'May': No such file or directory")),
    // Some of what the command looked at was shown.
    repeats(bashFails("find / -name notes.md", "find: '/root': Permission denied\n/home/dev/notes.md")),
    // One call of three fails.
    repeats([
      ...failing("delegate", { goal: "count", url: "/a" }, "TypeError: unexpected keyword argument 'url'"),
      ...step("open", { page: "https://example.com/orders" }, MODULE),
      ...step("read_table", { id: 7 }, GUIDE),
    ]),
    // Each call is another answer to the task.
    turns(8, (at) =>
      step(
        "python",
        { code: `def longest(rows):\n${"  rows = list(rows)\n".repeat(at)}` },
        "Failed 3/3 Test Cases. Try again.",
      ),
    ),
    // The file may have had the fault before.
    works(
      "edit",
      { path: "a.py", lines: "4:4", text: "x = 1" },
      "The file has syntax errors now: line 90: invalid syntax",
    ),
  ],
};

/** The cause of the first loop in a run, as a scan tells it. */
function causeIn(events: readonly AgentEvent[]): string {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  for (const event of events) watch.observe(event, undefined);
  return closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined }).loops[0]?.cause ?? "no loop";
}

it.each(Object.entries(LOOPS))("tells the cause %s", (cause, loops) => {
  expect(loops.map(causeIn)).toEqual(loops.map(() => cause));
});

it("claims no cause for a run that shows no results", () => {
  const events = Array.from({ length: 40 }, (_, at) => call("click", { selector: "#save" }, { id: `c${at}` }));

  expect(causeIn(events)).toBe("unknown");
});
