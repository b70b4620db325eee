import { again, failing, hexOf, inTurn, oneOf, type PlainLoop } from "../plain-loop.ts";

const LEAFLET =
  "Moderate. The two drugs may raise the potassium level when taken together. Doses below 25 mg a day are seen as safe in most patients. Check renal function, above all in older patients and in those with heart failure.";
const LEASE =
  "Section 4. The tenant pays the rent by the third working day of each month. A delay of more than ten days entitles the landlord to charge interest. Repairs up to 120 Euro a year are borne by the tenant. ";
const LISTINGS = Array.from({ length: 8 }, (_, at) => ({ id: 410 + at, rooms: 2 + (at % 3), rent: 900 + 35 * at }));
const CHUNKS = [
  "Parental leave is applied for in writing, seven weeks before it begins.",
  "Vacation days that are left expire at the end of March.",
  "Overtime is compensated in the following quarter.",
];
const QUESTIONS = ["parental leave deadline", "deadline for parental leave", "when to apply for parental leave"];
const RULINGS = [
  "tenant garden shed removal",
  "removal of a shed by the tenant",
  "shed in rented garden, duty to remove",
];
const STEPS = ["inspect the pump", "check the pump first", "begin with the pump", "have a look at the pump"];
const clockOf = (number: number): string => new Date(1_790_000_000_000 + number * 3_700).toISOString();
const jitterOf = (number: number): number => (number * 7) % 23;

/** Loops in trades that the other lists do not have, in the wording of today's tools: terse, wrapped, volatile. */
export const tradeLoops: readonly PlainLoop[] = [
  again("laboratory: one value, fetched anew", [
    "get_lab_result",
    { patient: "P-118", test: "CRP" },
    (number) => ({ patient: "P-118", test: "CRP", value: 3.1, unit: "mg/l", fetched_at: clockOf(number) }),
  ]),
  again("pharmacy: one leaflet", ["lookup_interaction", { drugs: ["A", "B"] }, LEAFLET], { isClear: true }),
  again("airline: one search", [
    "search_flights",
    { from: "ZRH", to: "OSL", date: "2026-11-02" },
    {
      flights: [
        { no: "LX1210", price: 240 },
        { no: "SK4708", price: 199 },
      ],
      cached: true,
    },
  ]),
  again("hotel: a card that is declined", [
    "book_room",
    { room: 12, nights: 2 },
    { booked: false, reason: "card declined" },
  ]),
  again(
    "bank: one transfer, paid again",
    ["transfer", { to: "CH93 0076", amount: 50 }, (number) => ({ status: "ok", transfer_id: hexOf(number) })],
    { request: "Pay the invoice of the plumber." },
  ),
  again("warehouse: a place that is taken", ["move_pallet", { from: "A1", to: "B7" }, "Location occupied."]),
  again("farm: a valve", ["open_valve", { zone: 3 }, "ack"], { request: "Water the tomatoes." }),
  again("school: a paper that is graded", ["grade_submission", { id: 88, grade: "B" }, "Already graded."]),
  again("law: one question to the archive", [
    "search_cases",
    (number) => ({ query: oneOf(RULINGS, number) }),
    "0 documents",
  ]),
  again("housing: the first page", ["list_listings", { page: 1 }, { page: 1, pages: 6, listings: LISTINGS }], {
    isClear: true,
  }),
  again("kitchen: a mixer", ["set_speed", { rpm: 300 }, "ok"]),
  again("cluster: pods that crash", [
    "kubectl_get",
    { kind: "pods" },
    (number) =>
      `NAME      READY  STATUS            RESTARTS  AGE\napi-7f9c  0/1    CrashLoopBackOff  9         ${12 + number}m`,
  ]),
  failing(
    "infrastructure: a plan that does not parse",
    [
      "run_terraform",
      { command: "plan" },
      'Error: Unsupported argument\n\n  on main.tf line 14, in resource "bucket" "logs":\n  14:   acl_mode = "private"\n\nAn argument named "acl_mode" is not expected here.',
    ],
    { isClear: true },
  ),
  failing("git: a push that is rejected", [
    "git_push",
    { branch: "main" },
    "! [rejected] main -> main (non-fast-forward)\nerror: failed to push some refs",
  ]),
  inTurn("database: up and down", again("", ["migrate_up", {}, "ok"]), again("", ["migrate_down", {}, "ok"])),
  again("spreadsheet: one cell", ["set_cell", { cell: "B4", value: 5 }, { updated: 1 }]),
  again("mailbox: nothing new", ["list_unread", {}, []], { request: "Answer my mail." }),
  again("calendar: a conflict", [
    "create_event",
    { title: "Review", at: "2026-11-03T10:00" },
    "Conflict with 'Standup'.",
  ]),
  again("a dispatcher's no", [
    "execute",
    { server: "crm", tool: "find_contact", params: { name: "Kim" } },
    { content: [{ type: "text", text: "No contact" }], meta: { server: "crm" } },
  ]),
  again("home: a thermostat", [
    "set_thermostat",
    { celsius: 21 },
    (number) => ({ success: true, timestamp: 1_790_000_000 + 4 * number }),
  ]),
  again("game: a wall", ["move", { direction: "north" }, "You can't go that way."]),
  again("game: objects that are not there", [
    "act",
    (number) => ({ action: `take mug ${number + 1}` }),
    "Nothing happens.",
  ]),
  again("robot: a grip that slips", [
    "grasp",
    { object: "cup" },
    (number) => ({ grasped: false, force: 0.4 + jitterOf(number) / 1_000 }),
  ]),
  inTurn(
    "observatory: clouds",
    again("", ["point_telescope", { target: "M31" }, "on target"]),
    again("", ["take_exposure", { seconds: 5 }, "Discarded: clouds."]),
  ),
  failing("drawing: a model that does not build", ["regenerate_model", {}, "Sketch2 is over-defined."]),
  failing(
    "compiler: one error",
    [
      "bash",
      { command: "cargo build" },
      (number) =>
        `error[E0382]: borrow of moved value: \`rows\`\n  --> src/load.rs:41:18\nerror: could not compile \`load\` (bin) due to 1 previous error in 1.${jitterOf(number)}s`,
    ],
    { isClear: true },
  ),
  failing(
    "pytest: one failure, timed",
    [
      "run_command",
      { cmd: "pytest -q" },
      (number) =>
        `E   assert 3 == 4\nFAILED tests/test_sum.py::test_sum\n1 failed, 12 passed in 3.${jitterOf(number)}s`,
    ],
    { isClear: true },
  ),
  again("one plan in other words", ["update_plan", (number) => ({ plan: [oneOf(STEPS, number)] }), "Plan updated"]),
  again("notes: one fact", ["remember", { fact: "Kim prefers tea." }, "Saved."]),
  again("retrieval: the same passages", [
    "retrieve",
    (number) => ({ query: oneOf(QUESTIONS, number) }),
    (number) => CHUNKS.map((text, at) => ({ text, score: 0.8 - at / 10 + jitterOf(number) / 10_000 })),
  ]),
  again("browser: one page with new marks", [
    "navigate",
    { url: "https://city.example/permits" },
    (number) =>
      `- heading "Permits" [ref=e${40 + 9 * number}]\n- link "Apply online" [ref=e${41 + 9 * number}]\n- text: The online form is closed until further notice.`,
  ]),
  again("browser: a key", ["press_key", { key: "Tab" }, ""]),
  again("desktop: a click that misses", [
    "computer",
    (number) => ({ action: "left_click", coordinate: [412 + (number % 5), 388 - (number % 3)] }),
    "[image]",
  ]),
  again("contract: one page", ["read_document", { page: 4 }, LEASE.repeat(4)], { isClear: true }),
  inTurn(
    "support: four views in turn",
    again("", ["open_case", { id: 3 }, { id: 3, state: "new", subject: "Invoice twice" }]),
    again("", ["list_notes", { case: 3 }, []]),
    again("", ["view_history", { case: 3 }, "No entries."]),
    again("", ["get_customer", { case: 3 }, { name: "Kim", since: 2019 }]),
  ),
  again("telephone: nobody answers", ["dial", { number: "+41 44 000 00 00" }, "No answer."]),
  failing("500 with a trace", [
    "http_post",
    { url: "https://api.example/orders", body: { sku: "M1" } },
    (number) => `HTTP 500 Internal Server Error (trace ${hexOf(number, 16)})`,
  ]),
  again("an expert who does not know", [
    "ask_expert",
    (number) => ({ question: oneOf(QUESTIONS, number) }),
    "I do not have this information.",
  ]),
  again("a query that takes as long as its limit", [
    "run_query",
    { limit: 5, text: "open orders" },
    (number) => ({ rows: [], took_ms: 300 + jitterOf(number), rate_limit_remaining: 5_000 - number }),
  ]),
  again("in another language", ["beleg_suchen", { nummer: "R-2231" }, "Keine Treffer"], {
    request: "Bitte den Beleg R-2231 prüfen.",
  }),
];
