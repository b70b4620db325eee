import type { AgentEvent } from "doomloop";
import { step, text, times, user } from "../builders.ts";

/** A session written by hand in the manner of an agent, and the cause that a person reads from it. */
export interface KnownSession {
  readonly agent: string;
  /** "unknown" where the steps don't show it. */
  readonly cause: string;
  readonly events: readonly AgentEvent[];
}

type Step = readonly AgentEvent[];
const failing = (tool: string, args: object, output: string): Step => step(tool, args, output, { error: true });
const each = <Item>(items: readonly Item[], make: (item: Item, at: number) => Step): Step => items.flatMap(make);
const turns = (count: number, make: (at: number) => Step): Step => each(Array(count).fill(0), (_, at) => make(at));
const COMPACTED: AgentEvent = { type: "compaction" };

// Claude Code.
const bash = (command: string, output: string): Step => step("Bash", { command, description: "Run it" }, output);
const bashFails = (command: string, output: string): Step =>
  failing("Bash", { command, description: "Run it" }, `Exit code 1\n${output}`);
const readFile = (name: string, output: string): Step => step("Read", { file_path: `/repo/${name}` }, output);
const editFile = (name: string, at: number): Step =>
  step(
    "Edit",
    { file_path: `/repo/${name}`, old_string: `before ${at}`, new_string: `after ${at}` },
    `The file /repo/${name} has been updated. Here's the result of running \`cat -n\`:\n  ${at}\tafter ${at}`,
  );
// Codex CLI.
const exec = (cmd: string, output: string): Step =>
  step(
    "exec_command",
    { cmd },
    `Chunk ID: 4f1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${output}`,
  );
const execFails = (cmd: string, output: string, code = 1): Step =>
  step(
    "exec_command",
    { cmd },
    `Chunk ID: 4f1a\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
  );
const patch = (at: number): Step =>
  step(
    "apply_patch",
    {
      input: `*** Begin Patch\n*** Update File: src/queue.rs\n@@\n-let a = ${at};\n+let a = ${at + 1};\n*** End Patch`,
    },
    "Success. Updated the following files:\nM src/queue.rs",
  );
// Gemini CLI.
const shell = (command: string, output: string, code: number): Step =>
  step(
    "run_shell_command",
    { command },
    `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)`,
  );
// opencode and Copilot CLI.
const tool = (name: string, args: object, output: string): Step => step(name, args, output);

const MODULE = `${Array.from({ length: 24 }, (_, at) => `export function part${at}(order) { return order.lines[${at}]; }`).join("\n")}\n`;
const GUIDE = "Release notes\nEach release has a tag, a date and a list of changes. Tags begin with v.\n".repeat(7);
const PAGE = `RootWebArea 'My orders'\n${Array.from({ length: 30 }, (_, at) => `  [${at}] link 'Order ${1000 + at}'`).join("\n")}`;
const JEST =
  "FAIL src/invoice.test.js\n  ● rounds to cents\n    expect(received).toBe(expected)\nTests: 1 failed, 12 passed, 13 total";
const GO =
  "--- FAIL: TestMerge (0.00s)\n    merge_test.go:41: got 3 entries, want 4\nFAIL\nFAIL\texample.com/app/merge\t0.004s\nFAIL";
const RUST =
  "error[E0502]: cannot borrow `queue` as mutable because it is also borrowed as immutable\n --> src/queue.rs:31:9\nerror: could not compile `queue`";

export const KNOWN_SESSIONS: readonly KnownSession[] = [
  // What the agent has already got.
  {
    agent: "Claude Code",
    cause: "result-unread",
    events: [user("add a part"), ...bash("ls", "src\ntest"), ...times(8, readFile("src/order.js", MODULE))],
  },
  { agent: "Codex CLI", cause: "result-unread", events: times(7, exec("sed -n 1,200p docs/release.md", GUIDE)) },
  {
    agent: "Gemini CLI",
    cause: "result-unread",
    events: times(7, tool("read_file", { absolute_path: "/repo/src/order.js" }, MODULE)),
  },
  {
    agent: "opencode",
    cause: "result-unread",
    events: times(6, [
      ...tool("read", { filePath: "/repo/a.js" }, MODULE),
      ...tool("read", { filePath: "/repo/b.md" }, GUIDE),
    ]),
  },
  {
    agent: "a support agent",
    cause: "result-unread",
    events: [
      user("where is my order"),
      ...times(
        8,
        tool(
          "get_order_details",
          { order_id: "#W55" },
          `{"order_id":"#W55","status":"delivered","items":[${'{"name":"cup","price":4.5},'.repeat(12)}{}]}`,
        ),
      ),
    ],
  },
  // A tool or a program that is not there.
  {
    agent: "Claude Code",
    cause: "tool-missing",
    events: times(7, bashFails("fd -e rs", "/bin/bash: line 1: fd: command not found")),
  },
  {
    agent: "Codex CLI",
    cause: "tool-missing",
    events: each(["just test", "just build", "just --list", "just", "just check", "just lint", "just ci"], (cmd) =>
      execFails(cmd, "zsh:1: command not found: just", 127),
    ),
  },
  {
    agent: "Gemini CLI",
    cause: "tool-missing",
    events: times(
      7,
      failing(
        "find_symbol",
        { name: "total" },
        'Tool "find_symbol" not found in registry. Tools must use the exact names that are registered.',
      ),
    ),
  },
  {
    agent: "Copilot CLI",
    cause: "tool-missing",
    events: times(
      7,
      failing(
        "bash",
        { command: "npm run e2e" },
        'npm error Missing script: "e2e"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
      ),
    ),
  },
  // No access.
  {
    agent: "Claude Code",
    cause: "closed-door",
    events: [
      user("release it"),
      ...times(
        7,
        bashFails(
          "git push origin v2",
          "remote: Permission to acme/app.git denied to ci-bot.\nfatal: unable to access 'https://example.com/acme/app.git/': The requested URL returned error: 403",
        ),
      ),
    ],
  },
  {
    agent: "Codex CLI",
    cause: "closed-door",
    events: times(
      7,
      execFails(
        "npm install left-pad",
        "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /usr/lib/node_modules/left-pad\nnpm error errno -13",
        243,
      ),
    ),
  },
  {
    agent: "opencode",
    cause: "closed-door",
    events: each(["orders", "users", "carts", "stocks", "prices", "taxes", "refunds"], (name) =>
      failing(
        "webfetch",
        { url: `https://api.example.com/${name}` },
        `Request failed with status code: 401 Unauthorized (${name})`,
      ),
    ),
  },
  {
    agent: "a data agent",
    cause: "closed-door",
    events: times(
      7,
      failing("run_query", { sql: "select * from payroll" }, "ERROR: permission denied for table payroll"),
    ),
  },
  // The call itself is wrong.
  {
    agent: "a data agent",
    cause: "faulty-call",
    events: each(["totl", "totals", "total_sum", "tot", "sum_total", "amount_total", "grand"], (name) =>
      failing("run_query", { sql: `select ${name} from orders` }, `ERROR: Unknown column '${name}' in 'field list'`),
    ),
  },
  {
    agent: "Gemini CLI",
    cause: "faulty-call",
    events: times(
      7,
      shell(
        "jq '.items[' orders.json",
        "jq: error: syntax error, unexpected end of file at <top-level>, line 1:\njq: 1 compile error",
        3,
      ),
    ),
  },
  {
    agent: "Claude Code",
    cause: "faulty-call",
    events: times(
      7,
      failing(
        "mcp__jira__create_issue",
        { summary: "Crash" },
        "MCP error -32602: Invalid arguments: missing required parameter 'projectKey'",
      ),
    ),
  },
  {
    agent: "a shop agent",
    cause: "faulty-call",
    events: times(
      7,
      failing(
        "click",
        { target: "Buy it now!" },
        "Invalid action! Valid actions are: search, click on a shown button.",
      ),
    ),
  },
  // An edit that does not match.
  {
    agent: "Claude Code",
    cause: "edit-mismatch",
    events: times(
      6,
      failing(
        "Edit",
        { file_path: "/repo/a.js", old_string: "return total", new_string: "return sum" },
        "<tool_use_error>String to replace not found in file.\nString: return total</tool_use_error>",
      ),
    ),
  },
  {
    agent: "Codex CLI",
    cause: "edit-mismatch",
    events: times(
      7,
      failing(
        "apply_patch",
        { input: "*** Begin Patch\n*** Update File: a.rs\n@@\n-let queue\n+let line\n*** End Patch" },
        "apply_patch verification failed: Failed to find expected lines in a.rs:\nlet queue",
      ),
    ),
  },
  {
    agent: "Gemini CLI",
    cause: "edit-mismatch",
    events: times(
      7,
      failing(
        "replace",
        { file_path: "/repo/a.js", old_string: "x", new_string: "y" },
        "Failed to edit, could not find the string to replace. No edits made. 0 occurrences found for old_string.",
      ),
    ),
  },
  // Tests again, and nothing was changed.
  {
    agent: "Claude Code",
    cause: "test-without-edit",
    events: [user("fix it"), ...readFile("src/invoice.js", MODULE), ...times(9, bashFails("npx jest invoice", JEST))],
  },
  {
    agent: "Codex CLI",
    cause: "test-without-edit",
    events: times(6, [...execFails("go test ./merge", GO), ...exec("sed -n 30,60p merge/merge.go", MODULE)]),
  },
  {
    agent: "Copilot CLI",
    cause: "test-without-edit",
    events: [
      ...tool("str_replace", { path: "/repo/a.rs", old_str: "a", new_str: "b" }, "The file a.rs has been edited."),
      ...times(8, failing("bash", { command: "cargo build" }, RUST)),
    ],
  },
  // Tests after each change, and always the same failure.
  {
    agent: "Claude Code",
    cause: "fix-without-effect",
    events: turns(8, (at) => [...editFile("src/invoice.js", at), ...bashFails("npx jest invoice", JEST)]),
  },
  {
    agent: "Codex CLI",
    cause: "fix-without-effect",
    events: turns(9, (at) => [
      ...exec(`rg -n part${at} src`, `src/q.rs:${at}: part${at}`),
      ...patch(at),
      ...execFails("cargo build", RUST, 101),
    ]),
  },
  {
    agent: "opencode",
    cause: "fix-without-effect",
    events: turns(8, (at) => [
      ...tool("edit", { filePath: "/repo/merge.go", oldString: `a${at}`, newString: `b${at}` }, ""),
      ...failing("bash", { command: "go test ./merge" }, GO),
    ]),
  },
  // It worked, and said so in a word.
  {
    agent: "a browser agent",
    cause: "silent-success",
    events: [user("save the form"), ...times(14, tool("browser_click", { element: "Save", ref: "e12" }, "ok"))],
  },
  {
    agent: "a mail agent",
    cause: "silent-success",
    events: times(
      12,
      tool(
        "send_email",
        {
          to: "ops@example.com",
          subject: "Report",
          body: "The report of this week is attached, with the figures of the three shops.",
        },
        "Email sent.",
      ),
    ),
  },
  {
    agent: "opencode",
    cause: "silent-success",
    events: times(
      12,
      tool("todowrite", { todos: [{ content: "write the parser", status: "pending" }] }, "Todos updated"),
    ),
  },
  // Looked up again after a compaction.
  {
    agent: "Claude Code",
    cause: "lost-after-compaction",
    events: [
      user("go on"),
      ...readFile("PLAN.md", GUIDE),
      ...editFile("a.js", 1),
      COMPACTED,
      ...times(7, readFile("PLAN.md", GUIDE)),
    ],
  },
  {
    agent: "Codex CLI",
    cause: "lost-after-compaction",
    events: [...exec("cat AGENTS.md", GUIDE), ...patch(1), COMPACTED, ...times(6, exec("cat AGENTS.md", GUIDE))],
  },
  // Not there.
  {
    agent: "Claude Code",
    cause: "nothing-found",
    events: each(
      [
        "parseInvoice",
        "parse_invoice",
        "InvoiceParser",
        "invoiceParser",
        "readInvoice",
        "invoice_reader",
        "loadInvoice",
      ],
      (pattern) => step("Grep", { pattern, path: "/repo/src" }, "No files found"),
    ),
  },
  {
    agent: "a research agent",
    cause: "nothing-found",
    events: times(
      7,
      tool(
        "search",
        { query: "population of Atlantis 2020" },
        "No page with that title exists. Try searching for one of these similar articles instead: Atlantic, Atlanta, Atlas.",
      ),
    ),
  },
  // Still running.
  {
    agent: "a release agent",
    cause: "impatient",
    events: times(60, step("check_deployment", { id: "web-7" }, '{"status":"pending","replicas":0}')),
  },
  // Traps: something repeats, and the steps don't say why.
  {
    agent: "a browser agent",
    cause: "unknown",
    events: [text("I will open the next page."), ...times(9, tool("click", { id: 1131 }, PAGE))],
  },
  {
    agent: "a travel agent",
    cause: "unknown",
    events: times(
      7,
      failing(
        "distance_matrix",
        { from: "Ulm", to: "Jena", mode: "car" },
        "argument of type 'TravelMode' is not iterable",
      ),
    ),
  },
  {
    agent: "a support agent",
    cause: "unknown",
    events: times(
      14,
      tool("think", { thought: "The customer does not answer. I will ask for the order number again." }, ""),
    ),
  },
  {
    agent: "Claude Code",
    cause: "unknown",
    events: turns(8, (at) => [
      ...bash(`npm install --no-audit dep-${at}`, `added ${at + 1} packages in 2s`),
      ...bashFails("npx jest invoice", JEST),
    ]),
  },
  {
    agent: "Copilot CLI",
    cause: "unknown",
    events: times(6, [
      ...failing("bash", { command: "cat /root/notes.txt" }, "cat: /root/notes.txt: Permission denied"),
      ...failing("bash", { command: "jq '.items[' a.json" }, "jq: error: syntax error, unexpected end of file"),
    ]),
  },
  {
    agent: "Codex CLI",
    cause: "unknown",
    events: times(
      7,
      execFails(
        "python3 train.py",
        'Traceback (most recent call last):\n  File "train.py", line 88, in <module>\n    fit(model)\nValueError: loss is not finite',
        1,
      ),
    ),
  },
];
