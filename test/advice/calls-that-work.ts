import { step, times, user } from "../builders.ts";
import {
  bash,
  COMPACTED,
  each,
  editCart,
  editFile,
  exec,
  FILE,
  GUIDE,
  type KnownLoops,
  LS,
  MODULE,
  ORDERS,
  patch,
  readFile,
  tool,
} from "./known-loops.ts";

/** Nothing fails, and it is asked for again. */
export const CALLS_THAT_WORK: KnownLoops = {
  "result-unread": [
    [user("add a part"), ...bash("ls", "src\ntest"), ...times(8, readFile("src/order.js", MODULE))],
    times(7, exec("sed -n 1,200p docs/release.md", GUIDE)),
    times(7, tool("read_file", { absolute_path: "/repo/src/order.js" }, MODULE)),
    times(6, [...tool("read", { filePath: "/repo/a.js" }, MODULE), ...tool("read", { filePath: "/repo/b.md" }, GUIDE)]),
    times(7, step("Read", { file_path: "/x/auth.ts" }, FILE)),
    [
      ...LS,
      ...times(
        6,
        bash(
          "cat package.json",
          `{"name":"shop","version":"1.0.0","scripts":{"test":"vitest"},${'"x":1,'.repeat(30)}"y":2}`,
        ),
      ),
    ],
    times(6, step("read_file", { path: "docs/orders.md" }, ORDERS)),
    times(6, [
      ...step("Read", { file_path: "/x/a.ts" }, FILE),
      ...step("Read", { file_path: "/x/b.ts" }, `${FILE}// b`),
    ]),
    [
      ...editCart(1),
      ...times(
        7,
        bash(
          "git diff --stat HEAD~1",
          " src/cart.ts | 12 +++++++-----\n src/tax.ts  |  4 ++--\n 2 files changed, 9 insertions(+), 7 deletions(-)",
        ),
      ),
    ],
    ["cat a.ts", "head -40 a.ts", "sed -n 1,40p a.ts", "cat ./a.ts", "tail -40 a.ts", "cat a.ts"].flatMap((command) =>
      bash(command, FILE),
    ),
  ],
  "lost-after-compaction": [
    [
      user("go on"),
      ...readFile("PLAN.md", GUIDE),
      ...editFile("a.js", 1),
      COMPACTED,
      ...times(7, readFile("PLAN.md", GUIDE)),
    ],
    [...exec("cat AGENTS.md", GUIDE), ...patch(1), COMPACTED, ...times(6, exec("cat AGENTS.md", GUIDE))],
    [
      ...step("Read", { file_path: "/x/a.ts" }, FILE),
      COMPACTED,
      ...times(7, step("Read", { file_path: "/x/a.ts" }, FILE)),
    ],
    [
      ...LS,
      ...bash("cat NOTES.md", ORDERS),
      COMPACTED,
      ...bash("cat NOTES.md", ORDERS),
      COMPACTED,
      ...times(6, bash("cat NOTES.md", ORDERS)),
    ],
    [
      ...step("get_issue", { id: 1 }, ORDERS),
      user("go on"),
      COMPACTED,
      ...times(7, step("get_issue", { id: 1 }, ORDERS)),
    ],
    [
      ...times(2, step("read_file", { path: "plan.md" }, ORDERS)),
      COMPACTED,
      ...LS,
      ...times(7, step("read_file", { path: "plan.md" }, ORDERS)),
    ],
  ],
  "nothing-found": [
    each(
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
    times(
      7,
      tool(
        "search",
        { query: "population of Atlantis 2020" },
        "No page with that title exists. Try searching for one of these similar articles instead: Atlantic, Atlanta, Atlas.",
      ),
    ),
    [
      "rate limit orders",
      "orders rate limit",
      "rate limits of orders",
      "order rate limit",
      "limit of orders rate",
      "orders api rate limit",
    ].flatMap((query) => step("search", { query }, "no results")),
    ["getTotal", "get_total", "GetTotal", "get-total", "gettotal", "GET_TOTAL"].flatMap((pattern) =>
      step("Grep", { pattern, path: "src" }, "No matches found"),
    ),
    times(7, step("Grep", { pattern: "computeTax", path: "src" }, "No matches found")),
    times(7, bash("ls -l /srv/shop | sort -k 5", "ls: cannot access '/srv/shop': No such file or directory")),
    times(8, tool("search_flights", { from: "HAM", to: "OSL", date: "2026-05-10" }, "[]")),
  ],
  "already-done": [
    [user("save the form"), ...times(14, tool("browser_click", { element: "Save", ref: "e12" }, "ok"))],
    times(
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
    times(12, tool("todowrite", { todos: [{ content: "write the parser", status: "pending" }] }, "Todos updated")),
    times(12, step("click", { selector: "#save" }, "Clicked")),
    times(
      12,
      step(
        "send_message",
        { to: "ops", text: "The deployment of the shop is finished, please have a look at the logs." },
        "ok",
      ),
    ),
    times(
      12,
      step(
        "TodoWrite",
        { todos: ["write tests", "fix cart", "update the docs of the orders"] },
        "Todos have been modified successfully.",
      ),
    ),
    times(
      12,
      step(
        "update_record",
        { id: 7, state: "paid", note: "paid by card on the second of May" },
        "updated successfully",
      ),
    ),
    times(
      12,
      tool(
        "transfer_to_agent",
        { summary: "The customer wants to change the address of an order." },
        "Transfer successful",
      ),
    ),
  ],
  impatient: [
    times(60, step("check_deployment", { id: "web-7" }, '{"status":"pending","replicas":0}')),
    times(40, step("check_job", { job: 7 }, "state: running, 40 % done")),
    times(40, bash("gh run view 123 --json status", '{"status":"in_progress"}')),
    times(40, bash("cat build/job.status", "state: queued")),
    times(40, step("get_deployment_status", { id: "web" }, '{"state":"pending","replicas":0}')),
  ],
};
