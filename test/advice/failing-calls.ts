import { times, user } from "../builders.ts";
import { bash, bashFails, each, execFails, failing, type KnownLoops, shell } from "./known-loops.ts";

/** The call fails, and the answer says why. */
export const FAILING_CALLS: KnownLoops = {
  "tool-missing": [
    times(7, bashFails("fd -e rs", "/bin/bash: line 1: fd: command not found")),
    each(["just test", "just build", "just --list", "just", "just check", "just lint", "just ci"], (cmd) =>
      execFails(cmd, "zsh:1: command not found: just", 127),
    ),
    times(
      7,
      failing(
        "find_symbol",
        { name: "total" },
        'Tool "find_symbol" not found in registry. Tools must use the exact names that are registered.',
      ),
    ),
    times(
      7,
      failing(
        "bash",
        { command: "npm run e2e" },
        'npm error Missing script: "e2e"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run',
      ),
    ),
    times(6, bashFails("rg TODO src", "bash: rg: command not found")),
    times(6, failing("run_tests", { path: "." }, "Error: No such tool available: run_tests")),
    ["pytest", "pytest -q", "pytest tests", "pytest -x", "pytest -v", "pytest -vv"].flatMap((command) =>
      bashFails(command, "/bin/sh: 1: pytest: not found"),
    ),
    times(6, failing("mcp__jira__search", { query: "cart" }, "Unknown tool: mcp__jira__search")),
    times(
      6,
      bashFails(
        "npm run typecheck",
        'npm error Missing script: "typecheck"\nnpm error To see a list of scripts, run:\nnpm error   npm run',
      ),
    ),
    times(
      6,
      failing(
        "shell",
        { command: "docker ps" },
        "'docker' is not recognized as an internal or external command,\noperable program or batch file.",
      ),
    ),
    times(7, bash("head -c 16 a.bin | xxd -p | tr -d ' '", "/bin/bash: line 1: xxd: command not found\n0")),
  ],
  "closed-door": [
    [
      user("release it"),
      ...times(
        7,
        bashFails(
          "git push origin v2",
          "remote: Permission to acme/app.git denied to ci-bot.\nfatal: unable to access 'https://example.com/acme/app.git/': The requested URL returned error: 403",
        ),
      ),
    ],
    times(
      7,
      execFails(
        "npm install left-pad",
        "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /usr/lib/node_modules/left-pad\nnpm error errno -13",
        243,
      ),
    ),
    each(["orders", "users", "carts", "stocks", "prices", "taxes", "refunds"], (name) =>
      failing(
        "webfetch",
        { url: `https://api.example.com/${name}` },
        `Request failed with status code: 401 Unauthorized (${name})`,
      ),
    ),
    times(7, failing("run_query", { sql: "select * from payroll" }, "ERROR: permission denied for table payroll")),
    times(6, bashFails("cat /etc/shadow", "cat: /etc/shadow: Permission denied")),
    times(6, failing("fetch", { url: "https://api.example.com/orders" }, "HTTP 401 Unauthorized: invalid API key")),
    times(
      6,
      bashFails(
        "git push origin main",
        "remote: Permission to acme/shop.git denied to bot.\nfatal: unable to access 'https://github.com/acme/shop.git/': The requested URL returned error: 403",
      ),
    ),
    ["a", "b", "c", "d", "e", "f"].flatMap((name) =>
      failing(
        "write_file",
        { path: `/srv/${name}.ts`, content: name },
        `EACCES: permission denied, open '/srv/${name}.ts'`,
      ),
    ),
    times(6, failing("Bash", { command: "sudo apt-get install jq" }, "sudo: a password is required")),
    times(
      6,
      failing(
        "kubectl_get",
        { kind: "pods" },
        'Error from server (Forbidden): pods is forbidden: User "bot" cannot list resource "pods"',
      ),
    ),
  ],
  "faulty-call": [
    each(["totl", "totals", "total_sum", "tot", "sum_total", "amount_total", "grand"], (name) =>
      failing("run_query", { sql: `select ${name} from orders` }, `ERROR: Unknown column '${name}' in 'field list'`),
    ),
    times(
      7,
      shell(
        "jq '.items[' orders.json",
        "jq: error: syntax error, unexpected end of file at <top-level>, line 1:\njq: 1 compile error",
        3,
      ),
    ),
    times(
      7,
      failing(
        "mcp__jira__create_issue",
        { summary: "Crash" },
        "MCP error -32602: Invalid arguments: missing required parameter 'projectKey'",
      ),
    ),
    times(
      7,
      bash(
        "diff -u 0 a.txt b.txt | wc -l",
        "diff: extra operand 'b.txt'\ndiff: Try 'diff --help' for more information.\n0",
      ),
    ),
    times(
      7,
      bashFails(
        "grep -e '(a' notes.md | sort -k",
        "sort: option requires an argument -- 'k'\nTry 'sort --help' for more information.",
      ),
    ),
  ],
};
