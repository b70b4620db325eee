/** Work that is the same call again and again because the request wants it so. */
export interface HonestSeries {
  readonly name: string;
  readonly request: string;
  readonly tool: string;
  /** The arguments, and the answer, of the call with this number, from 1. */
  readonly args: (number: number) => object;
  readonly output: (number: number) => string | object;
  /** How many calls the request asks for. */
  readonly calls: number;
  /** From an answer to the next call, and from a call to its answer. */
  readonly thinkMs: number;
  readonly tookMs: number;
  /** The host does not know whether a call failed. */
  readonly isUnflagged?: boolean;
}

type Details = Partial<Pick<HonestSeries, "request" | "calls" | "thinkMs" | "tookMs">>;

const product = (more: object): object => ({
  ...more,
  name: "Apple juice 1.0 l",
  brand: "Obsthof Lange",
  price: 1.79,
  deposit: 0.15,
  vat: 19,
  category: "Drinks / juice / apple",
  supplier: "Nordfrucht Kiel",
  allergens: [],
  unit: "bottle",
  weightKg: 1.6,
  location: "aisle 2, rack F",
  active: true,
});
const HALL =
  "The gallery is empty. The lamps are lit. The gate to the garden is shut, the cord in front of the statue hangs where it should, and there is nobody in the passage behind it. The clock over the gate cannot be read.";
const SOLD_OUT =
  "Sold out. There are no rooms for the dates that you have chosen. Try other dates, or one of the houses nearby: Hotel Terminus, Seehof, Zum Anker. Prices from 190 Euro a night with breakfast and tax. Free cancellation.";
const NO_JOB =
  "There is no job for you at the moment. Jobs are given out by the control room between 5 and 21 h. Please ask again; the list is checked all the time, and new jobs go to the crew that asks first. Shift: C.";
const TROLL =
  "You swing the hammer at the troll. The troll howls and throws a boulder. You jump aside and the boulder breaks on the wall. The troll stares at you with its small eyes and raises its other fist. Your hammer is still in one piece.";
const THINGS = [
  "pump",
  "boiler",
  "lift",
  "router",
  "oven",
  "scanner",
  "door",
  "heater",
  "sensor",
  "valve",
  "motor",
  "fan",
];
const PEOPLE = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gita", "Hugo", "Ines", "Jon"];

/** 14 series with one equal record for an answer, each as often as the request asks for. */
export const items: readonly HonestSeries[] = [
  equal("till: 24 bottles", ["scan_item", { barcode: "4009876000117" }, product({ ean: "4009876000117" })], {
    request: "Ring up 24 bottles of juice.",
    thinkMs: 3_000,
    tookMs: 400,
  }),
  equal("till: a basket", ["scan_barcode", { barcode: "4009876000117" }, product({ ean: "4009876000117" })], {
    request: "Ring up the customer's basket.",
    thinkMs: 3_000,
    tookMs: 400,
  }),
  equal("goods in", ["receive_unit", { sku: "J-10" }, product({ received: 1 })]),
  equal("labels", ["print_label", { sku: "J-10" }, product({ printed: true })]),
  equal("kitchen: courses", ["fire_next_course", { table: 12 }, product({ ok: true })]),
  equal(
    "milling: a program for each blank",
    ["run_program", { program: "O2040" }, product({ result: "cycle complete" })],
    {
      tookMs: 3_000,
    },
  ),
  equal("packing: boxes", ["seal_box", {}, product({ sealed: true })]),
  equal("robot: picks", ["pick", { bin: "C2" }, product({ picked: true })]),
  equal("laboratory: wells", ["dispense", { ul: 25 }, product({ dispensed: 25 })]),
  equal("dispatch: no job yet", ["get_next_job", {}, { job: null, message: NO_JOB }], {
    request: "Take jobs until 21 h.",
    calls: 40,
    thinkMs: 6_000,
    tookMs: 300,
  }),
  equal("mailroom: letters", ["frank_letter", { product: "standard" }, product({ franked: 0.95 })]),
  equal("game: a troll", ["attack", { target: "troll", weapon: "hammer" }, TROLL], {
    request: "Kill the troll.",
    calls: 30,
    tookMs: 300,
  }),
  equal("museum: a camera", ["look_at_camera", { camera: 5 }, HALL], {
    request: "Watch camera 5 and call me when somebody comes in.",
    calls: 40,
    thinkMs: 7_000,
    tookMs: 1_500,
  }),
  equal("hotel: a room", ["check_availability", { hotel: "Bellevue", date: "2026-12-30" }, SOLD_OUT], {
    request: "Book a room as soon as one gets free.",
    calls: 40,
    thinkMs: 9_000,
    tookMs: 2_000,
  }),
];

/** Two of these, asked for in other words: the wording must not decide. */
export const asked: readonly HonestSeries[] = [
  ...[
    "Watch camera 5 and call me when somebody comes in.",
    "Keep an eye on camera 5.",
    "Keep watching camera 5 until somebody comes in.",
    "Keep checking camera 5 until somebody comes in.",
    "Monitor camera 5 and tell me if anything changes.",
    "Let me know as soon as somebody enters on camera 5.",
    "Tell me when the gallery is no longer empty.",
    "Guard the gallery tonight; camera 5.",
  ].map((request) =>
    equal(request, ["look_at_camera", { camera: 5 }, HALL], { request, calls: 30, thinkMs: 4_500, tookMs: 700 }),
  ),
  ...[
    "Ring up 24 bottles of juice.",
    "Scan 24 bottles.",
    "Scan the bottle 24 times.",
    "The customer has 24 bottles of juice. Ring them up.",
    "Scan this item twenty-four times.",
    "Kasse: 24 x Saft bitte.",
  ].map((request) =>
    equal(request, ["scan_item", { barcode: "4009876000117" }, product({ ean: "4009876000117" })], {
      request,
      thinkMs: 3_000,
      tookMs: 400,
    }),
  ),
];

/** Different records that speak of failures, and are none. */
export const tickets: readonly HonestSeries[] = [
  [
    "a failure is reported",
    (number: number) =>
      `Ticket ${number} from ${person(number)}: the ${thing(number)} reports a failure since ${number} o'clock. Please send somebody to hall ${number % 7}.`,
  ],
  [
    "an error on a machine",
    (number: number) =>
      `Error on ${thing(number)} in hall ${number % 7}: ${person(number)} saw it at ${number} o'clock.`,
  ],
  [
    "a claim",
    (number: number) =>
      `Claim ${number}: ${person(number)}'s ${thing(number)} failed on day ${number}. Damage ${number * 130} Euro.`,
  ],
  [
    "a diagnosis",
    (number: number) => `Patient ${person(number)} ${number}: heart failure, ${60 + number} years, room ${number % 9}.`,
  ],
  [
    "a failed payment",
    (number: number) => ({ id: number, amount: number * 13, status: "failed", customer: person(number) }),
  ],
  [
    "a declined card",
    (number: number) => ({ id: number, amount: number * 13, error: "card declined", customer: person(number) }),
  ],
].flatMap(([name, output]) =>
  (["get_record", "next_record"] as const).map((tool) => ({
    name: `${name}, ${tool}`,
    request: "Work through them.",
    tool,
    args: (number: number) => (tool === "get_record" ? { id: number } : {}),
    output: output as HonestSeries["output"],
    calls: 30,
    thinkMs: 4_500,
    tookMs: 500,
    isUnflagged: true,
  })),
);

function equal(
  name: string,
  [tool, args, output]: readonly [string, object, string | object],
  details: Details = {},
): HonestSeries {
  return {
    name,
    request: "Do it for all of them.",
    calls: 24,
    thinkMs: 4_000,
    tookMs: 500,
    ...details,
    tool,
    args: () => args,
    output: () => output,
  };
}

function thing(number: number): string {
  return THINGS[number % THINGS.length]!;
}

function person(number: number): string {
  return PEOPLE[number % PEOPLE.length]!;
}
