import { again, failing, hexOf, inTurn, oneOf, type PlainLoop } from "../plain-loop.ts";

const WORDINGS = ["refund terms", "terms of refund", "refunds terms page", "how do refunds work", "refund conditions"];
const MORE_WORDINGS = ["get money back", "returns and refunds", "conditions for refunds"];
const NAMES = ["login", "auth", "user", "session", "account", "signin", "sign-in", "log-in"];
const CART = `### Page\n- URL: https://shop.example/cart\n- button Place order, alert "Please complete the form" ${"-".repeat(280)}`;

/** What agents were seen to do a hundred times without being stopped. */
export const firstLoops: readonly PlainLoop[] = [
  again("a search without results", ["search", { query: "refund terms" }, "No results found."]),
  failing("a grep without a match", ["bash", { command: "grep -rn onLogin lib" }, ""]),
  again("one file", ["read_file", { path: "lib/main.ts" }, "export const main = 1;\n".repeat(20)], { isClear: true }),
  failing(
    "one failing test",
    ["bash", { command: "npm test" }, "FAIL lib/a.test.ts\n  expected 3 to be 4\nTests: 1 failed"],
    {
      isClear: true,
    },
  ),
  again("one mail", [
    "send_email",
    { to: "ann@shop.example", subject: "Your order", body: "Your order is ready to be picked up." },
    '{"sent":true}',
  ]),
  again("a click that says ok", ["browser_click", { element: "Place order", ref: "e12" }, "ok"]),
  again("a click that shows the same page", ["browser_click", { element: "Place order", ref: "e12" }, CART]),
  again("scrolling", ["scroll", { direction: "down" }, "scrolled"]),
  again("one small record", ["get_order", { id: 7 }, '{"id":7,"status":"open"}']),
  again("one update", ["update_record", { id: 7, status: "closed" }, '{"ok":true}']),
  again("one query", ["execute_sql", { query: "select count(*) from visits" }, "[(0,)]"]),
  failing("404", ["fetch", { url: "https://docs.example/guide" }, "404 Not Found"]),
  failing("403", ["fetch", { url: "https://docs.example/guide" }, "403 Forbidden"]),
  failing("503", ["fetch", { url: "https://docs.example/guide" }, "503 Service Unavailable"]),
  failing("a misspelt field", ["create_task", { titel: "x" }, "Error: missing required field 'title'"]),
  again("a tool whose name says nothing", ["t_17", { a: 1 }, "done"]),
  again("one to-do list", [
    "TodoWrite",
    { todos: [{ content: "Repair the login", status: "in_progress" }] },
    "Todos have been modified successfully.",
  ]),
  again("one thought", ["think", { thought: "I should read the login code." }, "ok"]),
  again("a search in other words", [
    "search",
    (number) => ({ query: oneOf([...WORDINGS, ...MORE_WORDINGS], number) }),
    "No results found.",
  ]),
  failing("guessed paths", [
    "read_file",
    (number) => ({ path: `lib/${oneOf(NAMES, number, "")}.ts` }),
    "ENOENT: no such file",
  ]),
  inTurn(
    "three calls in turn",
    again("", ["list_dir", { path: "." }, "a b c"]),
    again("", ["read_file", { path: "a" }, "hello, this is what the file says"]),
    failing("", ["grep", { pattern: "bar" }, "no matches"]),
  ),
  inTurn(
    "an edit and its undo",
    again("", ["edit_file", { path: "a.ts", old: "x=2", new: "x=1" }, "The file has been updated."]),
    again("", ["edit_file", { path: "a.ts", old: "x=1", new: "x=2" }, "The file has been updated."]),
  ),
  again("one task for another agent", ["Task", { prompt: "Find the bug in the login" }, "I could not find anything."]),
  again("a question that nobody answers", ["ask_user", { question: "Which account do you mean?" }, "no answer"], {
    isWayOut: true,
  }),
  again("screenshots", ["computer", { action: "screenshot" }, "[image]"]),
  again("a failed job with a request id", [
    "get_status",
    { job: 1 },
    (number) => `{"state":"failed","request_id":"${hexOf(number, 6)}"}`,
  ]),
];
