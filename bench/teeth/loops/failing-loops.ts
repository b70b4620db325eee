import { again, failing, type PlainLoop } from "../plain-loop.ts";

/** One call, mostly one that fails, without a request before it. */
export const failingLoops: readonly PlainLoop[] = [
  failing("refund of an unpaid order", [
    "refund_order",
    { order: 91, amount: 35 },
    "HTTP 422: order 91 was never paid",
  ]),
  failing("mail without a login", [
    "send_email",
    { to: "a@b.example", subject: "hello" },
    "Error: 535 authentication failed",
  ]),
  failing("an unknown customer", ["get_customer", { id: 4 }, "Error: customer 4 not found"]),
  failing("401", ["search", { q: "lamp" }, "Error: 401 Unauthorized"]),
  failing("a table that does not exist", [
    "query_database",
    { sql: "select * from invoicez" },
    'ERROR: relation "invoicez" does not exist',
  ]),
  failing("an API that answers 404", ["http_request", { url: "https://api.example/v1/lamps" }, "404 Not Found"]),
  failing("a required field", ["create_invoice", { customer: 1 }, "ValidationError: field 'due_date' is required"]),
  failing("a required field, explained at length", [
    "create_invoice",
    {},
    `ValidationError: field 'due_date' is required. ${"See the manual. ".repeat(13)}`,
  ]),
  failing("a file that does not exist", [
    "read_file",
    { path: "absent.txt" },
    "ENOENT: no such file or directory, open 'absent.txt'",
  ]),
  failing("a short failing test", ["bash", { command: "npm test" }, "FAIL 1 test"], { isClear: true }),
  failing("a missing module", ["bash", { command: "python app.py" }, "ModuleNotFoundError: No module named 'yaml'"]),
  failing("an edit that does not match", [
    "edit_file",
    { path: "b.ts", old: "p", new: "q" },
    "Error: old string not found in file",
  ]),
  failing("an element that is not there", ["browser_click", { ref: "e31" }, "Error: element not found"]),
  failing("a selector that never appears", ["click", { selector: "#pay" }, "TimeoutError: waiting for selector #pay"]),
  failing("a wrong expression", ["calculator", { expression: "7+*3" }, "SyntaxError: unexpected token"]),
  failing("a tool that can be anything, and fails", ["do_thing", { a: 1 }, "Error: invalid argument"]),
  again("the weather", ["get_weather", { city: "Bern" }, "9 C, rain"]),
  again("one customer", ["get_customer", { id: 4 }, "Eva Stone, eva@example.com"]),
  again("a tool that can be anything", ["do_thing", { a: 1 }, "ok"]),
  again("a mail that is sent", ["send_email", { to: "a@b.example", subject: "hello" }, "sent"]),
  failing("an answer that is not accepted", ["final_answer", { text: "done" }, "Please use the tools first."], {
    isWayOut: true,
  }),
];
