import { step, text, times, user } from "../builders.ts";
import {
  BROWSER_PAGE,
  bash,
  bashFails,
  execFails,
  failing,
  GUIDE,
  JEST,
  type KnownLoops,
  MODULE,
  ORDERS,
  tool,
  turns,
} from "./known-loops.ts";

/** Something repeats, and the steps do not say why. */
export const NO_CAUSE: KnownLoops = {
  unknown: [
    [text("I will open the next page."), ...times(9, tool("click", { id: 1131 }, BROWSER_PAGE))],
    times(
      7,
      failing(
        "distance_matrix",
        { from: "Ulm", to: "Jena", mode: "car" },
        "argument of type 'TravelMode' is not iterable",
      ),
    ),
    times(14, tool("think", { thought: "The customer does not answer. I will ask for the order number again." }, "")),
    turns(8, (at) => [
      ...bash(`npm install --no-audit dep-${at}`, `added ${at + 1} packages in 2s`),
      ...bashFails("npx jest invoice", JEST),
    ]),
    times(6, [
      ...failing("bash", { command: "cat /root/notes.txt" }, "cat: /root/notes.txt: Permission denied"),
      ...failing("bash", { command: "jq '.items[' a.json" }, "jq: error: syntax error, unexpected end of file"),
    ]),
    times(
      7,
      execFails(
        "python3 train.py",
        'Traceback (most recent call last):\n  File "train.py", line 88, in <module>\n    fit(model)\nValueError: loss is not finite',
        1,
      ),
    ),
    // A record may have changed.
    times(6, step("get_issue", { id: 4711 }, ORDERS)),
    [
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
    // The name of a host may be wrong, or the network is not there.
    times(
      6,
      bashFails(
        "curl -s https://packages.example.org/left-pad",
        "curl: (6) Could not resolve host: packages.example.org",
      ),
    ),
    // Silence does not say that it worked.
    times(12, step("set_config", { key: "retries", value: 3 }, "")),
    times(12, bash("chmod -R go+rX public && git add -A", "")),
    // An action may be invalid because of the state.
    times(
      7,
      failing(
        "click",
        { target: "Buy it now!" },
        "Invalid action! Valid actions are: search, click on a shown button.",
      ),
    ),
    // A filter prints nothing for many reasons.
    times(7, bash("awk 'nf' notes.txt | tail -n 1", "")),
    times(7, step("Bash", { command: "grep -r total src | grep -v test" }, "", { error: true })),
    times(7, bash("jq -r '.items[].name' orders.json", "")),
    // A program's own console, not a shell.
    times(7, failing("console", { input: "enumusers" }, "command not found: enumusers")),
    times(7, bashFails("smbclient //files/share -c 'tree'", "tree: command not found")),
    times(7, failing("debugger", { input: "btrace" }, 'Undefined command: "btrace". Try "help".')),
    // What the shell took for a program is prose, or a piece of a pattern.
    times(7, bashFails("I am done with the task.", "/bin/bash: line 1: I: command not found")),
    times(
      7,
      bashFails('wc -l a.txt | grep -vE "^ |^[[:space:]]+$"', "/bin/bash: line 1: ^[[:space:]]+$: command not found"),
    ),
    times(7, bashFails("ls -l | awk '{print $6}' | xargs ls", "ls: cannot access 'May': No such file or directory")),
    // Some of what the command looked at was shown.
    times(7, bashFails("find / -name notes.md", "find: '/root': Permission denied\n/home/dev/notes.md")),
    // One call of three fails.
    times(6, [
      ...failing("delegate", { goal: "count", url: "/a" }, "TypeError: unexpected keyword argument 'url'"),
      ...tool("open", { page: "https://example.com/orders" }, MODULE),
      ...tool("read_table", { id: 7 }, GUIDE),
    ]),
    // Each call is another answer to the task.
    turns(8, (at) =>
      tool(
        "python",
        { code: `def longest(rows):\n${"  rows = list(rows)\n".repeat(at)}  return max(rows)` },
        "Failed 3/3 Test Cases. Please try again.",
      ),
    ),
    // The file may have had the fault before.
    times(
      6,
      tool(
        "edit",
        { path: "a.py", lines: "4:4", text: "x = 1" },
        "The file has syntax errors now: line 90: invalid syntax",
      ),
    ),
  ],
};
