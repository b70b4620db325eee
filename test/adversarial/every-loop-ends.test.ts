import { type AgentEvent, createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";

interface Doing {
  readonly tool: string;
  readonly args: object;
  readonly output: unknown;
  readonly error?: boolean;
  /** What somebody says after it. */
  readonly user?: string;
}

/** When an agent that ignores everything is told, refused and ended, by the number of the call. */
function biteOf(
  doing: (at: number) => Doing,
  options: GuardOptions = {},
  length = 400,
  thinksMs?: (at: number) => number,
) {
  let now = 0;
  const guard = createGuard(options);
  const first: Partial<Record<string, number>> = {};
  for (let at = 1; at <= length && first.stop === undefined; at++) {
    const { tool, args, output, error, user } = doing(at);
    const id = String(at);
    guard.observe({ type: "round" });
    now += thinksMs?.(at) ?? 0;
    const time = thinksMs && { at: now };
    const before = guard.observe({ type: "call", id, tool, args, ...time });
    first[before.action] ??= at;
    const isRefused = before.action === "block" || before.action === "stop";
    const after = guard.observe(
      isRefused ? { type: "result", id, synthetic: true } : { type: "result", id, output, error },
    );
    first[after.action] ??= at;
    if (user !== undefined) guard.observe({ type: "user", text: user });
  }
  return { told: first.nudge, refused: first.block, ended: first.stop };
}

const read = { tool: "read_file", args: { path: "a.ts" }, output: "export const answer = 42;\n".repeat(5) };

describe("every loop ends", () => {
  it.each([
    [2_000, 7_000],
    [3_000, 9_000],
    [5_000, 20_000],
  ])("if the model thinks from %i to %i ms before each call", (least, most) => {
    const stock = { tool: "stock_level", args: { item: "salt" }, output: { item: "salt", on_hand: 3 } };
    const bite = biteOf(
      () => stock,
      {},
      400,
      (at) => least + ((at * 7919) % (most - least)),
    );

    expect(bite.ended).toBeLessThan(70);
  });

  it.each([
    ["a count", (at: number) => at],
    ["an id", (at: number) => `3f2504e0-4f89-41d3-9a0c-${String(at).padStart(12, "0")}`],
    ["a time", (at: number) => new Date(1.77e12 + at * 61_000).toISOString()],
    ["words", (at: number) => `looking once more, part ${"abcdefgh"[at % 8]}`],
  ])("if another argument of each call is %s", (_, other) => {
    const ways = [
      (at: number) => ({ ...read, args: { path: "a.ts", note: other(at) } }),
      (at: number) => ({ ...read, tool: "bash", args: { command: "cat a.ts", note: other(at) } }),
      (at: number) => ({ ...read, tool: "http_get", args: { url: "https://example.com/a", note: other(at) } }),
    ];

    for (const doing of ways) expect(biteOf(doing).ended).toBeLessThan(65);
  });

  it.each([2, 5, 12, 13, 19, 24])("if it is a cycle of %i calls", (period) => {
    const bite = biteOf((at) => ({
      tool: "run_query",
      args: { q: `${"abcdefghijklmnopqrstuvwxyz"[at % period]} of the stock` },
      output: `stock of ${"abcdefghijklmnopqrstuvwxyz"[at % period]}\nnothing left on the shelf`,
    }));

    expect(bite.refused).toBeDefined();
    expect(bite.ended).toBeDefined();
  });

  it.each([
    ["an object", (record: object) => record],
    ["JSON", (record: object) => JSON.stringify(record)],
  ])("if a check says in %s, edit after edit, that nothing is valid", (_form, written) => {
    const bite = biteOf((at) =>
      at % 2 === 1
        ? { tool: "update_form", args: { value: `version ${at}` }, output: written({ saved: true }) }
        : { tool: "validate_form", args: { loan: "L9" }, output: written({ valid: false, errors: ["a value"] }) },
    );

    expect(bite.told).toBeLessThan(15);
    expect(bite.ended).toBeLessThan(70);
  });

  it("if its calls differ in a number only and fail at one door", () => {
    const bite = biteOf((at) => ({
      tool: "fetch_invoice",
      args: { id: 1000 + at },
      output: "permission denied",
      error: true,
    }));

    expect(bite.refused).toBeLessThan(60);
    expect(bite.ended).toBeLessThan(90);
  });

  it("if every edit is another one, and the test fails as before", () => {
    const bite = biteOf((at) =>
      at % 2 === 1
        ? { tool: "edit_file", args: { path: "a.ts", old: `x = ${at}`, new: `x = ${at + 2}` }, output: "updated" }
        : { tool: "bash", args: { command: "npm test" }, output: "FAIL a.test.ts\n expected 1 to be 2", error: true },
    );

    expect(bite.refused).toBeLessThan(40);
    expect(bite.ended).toBeLessThan(80);
  });

  it("if a call that must not happen twice is made again and again", () => {
    const options = { rules: { deploy: { repeat: "never" as const } } };
    const bite = biteOf(() => ({ tool: "deploy", args: { version: 1 }, output: "deployed" }), options);

    expect(bite).toEqual({ told: undefined, refused: 2, ended: 21 });
  });

  const page = (at: number): Doing => ({
    tool: "read_page",
    args: { url: `https://shop.example/${at}` },
    output: `Page ${at}\nOffers of week ${at}\nWhat ${at} people say`,
  });

  it.each<[string, (at: number) => Doing]>([
    ["says how many things it did", () => ({ tool: "add_to_cart", args: { sku: 9 }, output: "Added 1 item to cart" })],
    ["says how many rows it changed", () => ({ tool: "run_sql", args: { sql: "update t" }, output: "1 row affected" })],
    ["is answered by a harness of few words", () => ({ ...read, user: "Please continue." })],
    ["is answered by a harness that counts", (at) => ({ ...read, user: `Step ${at} of 200.` })],
    ["is answered by a harness of two letters", () => ({ ...read, user: "ok" })],
    ["waits too briefly", () => ({ tool: "wait", args: { seconds: 1 }, output: "ok" })],
    [
      "fails with another number each time",
      (at) => ({ tool: "release", args: { pallet: 9, step: at }, output: "Pallet 9 is on hold", error: true }),
    ],
    [
      "clicks elements with other numbers on the same page",
      (at) =>
        at % 2 === 0
          ? { tool: "browser_click", args: { ref: `s${at}e2` }, output: "Clicked" }
          : { tool: "browser_snapshot", args: {}, output: `Cart [ref=s${at}e1]\nBuy [ref=s${at}e2]\nIt is empty` },
    ],
    [
      "keeps an address from being served from a cache",
      (at) => ({
        tool: "bash",
        args: { command: `curl -s localhost/health?t=${1_790_000_000 + 3 * at}` },
        output: '{"up":false}',
      }),
    ],
    [
      "keeps the address of a page from being served from a cache",
      (at) => ({
        tool: "fetch_url",
        args: { url: `https://ferry.example/times?_=${1_790_000_000_000 + 4000 * at}` },
        output: "<p>No information.</p>",
      }),
    ],
    [
      "is told in compact JSON how long the search took",
      (at) => ({
        tool: "search_records",
        args: { name: "Anna" },
        output: `{"hits":[],"took_ms":${3 + ((at * 37) % 80)}}`,
      }),
    ],
    ["asks for pages beyond the end", (at) => ({ tool: "list_tickets", args: { page: 40 + at }, output: [] })],
    [
      "brings the same large picture each time",
      () => ({ tool: "click", args: { x: 4 }, output: { content: [{ type: "image", data: "x".repeat(1_000_000) }] } }),
    ],
    [
      "looks for what is not there, and at something new now and then",
      (at) => (at % 5 === 0 ? page(at) : { tool: "search", args: { query: "vat" }, output: [] }),
    ],
  ])("if it %s", (_, doing) => {
    expect(biteOf(doing).ended).toBeLessThan(110);
  });

  it.each<[string, AgentEvent[]]>([
    [
      "says the same whatever a harness answers",
      [
        { type: "text", text: "I will now run the linter." },
        { type: "user", text: "You did not call a tool. Please call a tool or finish." },
      ],
    ],
    ["only thinks, the same each time", [{ type: "reasoning", text: "I should check the configuration first." }]],
  ])("if it %s", (_, turn) => {
    const guard = createGuard();
    const actions = Array.from({ length: 40 }, () =>
      [{ type: "round" } as const, ...turn].map((event) => guard.observe(event).action),
    );

    expect(actions.flat()).toContain("stop");
  });

  it("later if it is told later", () => {
    const bite = biteOf(() => read, { detectors: { "repeated-call": { threshold: 8 } } });

    expect(bite).toEqual({ told: 8, refused: 15, ended: 25 });
  });
});

describe("the way out", () => {
  const blocked = {
    tool: "update_goal",
    args: { status: "blocked" },
    output: "The goal cannot be changed now.",
    error: true,
  };
  const close = { tool: "close_case", args: { id: 7 }, output: "The case stays open.", error: true };

  it.each<[string, Doing, GuardOptions]>([
    ["the report of an end", blocked, {}],
    ["a tool of which the host says so", close, { rules: { close_case: { wayOut: true } } }],
  ])("is told of once, never refused, and ends with the run: %s", (_, doing, options) => {
    const guard = createGuard(options);
    const actions: string[] = [];
    for (let at = 0; at < 40 && actions.at(-1) !== "stop"; at++) {
      actions.push(guard.observe({ type: "call", id: `${at}`, tool: doing.tool, args: doing.args }).action);
      if (actions.at(-1) !== "stop")
        actions.push(guard.observe({ type: "result", id: `${at}`, output: doing.output, error: true }).action);
    }

    expect(actions.filter((action) => action === "nudge")).toHaveLength(1);
    expect(actions).not.toContain("block");
    expect(actions.at(-1)).toBe("stop");
    expect(biteOf(() => close).refused).toBeDefined();
  });
});

describe("a tool that is named after waiting", () => {
  it("has waited only as long as it took", () => {
    const guard = createGuard();
    const actions = Array.from({ length: 60 }, (_, at) => [
      guard.observe({ type: "call", id: String(at), tool: "noop", args: {}, at: at * 3_300 }).action,
      guard.observe({ type: "result", id: String(at), output: "ok", at: at * 3_300 + 200 }).action,
    ]);

    expect(actions.flat()).toContain("stop");
  });
});

describe("a run that was ended", () => {
  it("goes on when the user says the same as before", () => {
    const guard = createGuard();
    const request = { type: "user", text: "Please fix the login bug in src/app.ts and run the tests." } as const;
    const reads = (): string[] =>
      Array.from({ length: 21 }, (_, at) => {
        guard.observe({ type: "round" });
        const { action } = guard.observe({ type: "call", id: String(at), tool: read.tool, args: read.args });
        guard.observe({ type: "result", id: String(at), output: read.output });
        return action;
      });
    guard.observe(request);
    expect(reads()).toContain("stop");
    guard.observe(request);

    expect(reads().slice(0, 3)).toEqual(["continue", "continue", "continue"]);
  });
});

describe("a person who asks in nearly the same words", () => {
  it.each(["Bergen", "Oslo", "Kiel"])("is a person: %s", (town) => {
    const guard = createGuard();
    const actions = ["Riga", town, "Turku", town, "Riga", town].map((place, at) => {
      guard.observe({ type: "user", text: `What time does the ferry to ${place} leave today?` });
      guard.observe({ type: "call", id: String(at), tool: "timetable", args: {} });
      return guard.observe({
        type: "result",
        id: String(at),
        output: "Riga 9:00, Bergen 10:00, Oslo 11:00, Kiel 12:00".repeat(4),
      }).action;
    });

    expect(actions.slice(0, 3)).toEqual(["continue", "continue", "continue"]);
  });
});

describe("honest work that looks like a loop", () => {
  const names = "amber birch cedar delta ember fjord grove iris kelp lotus maple nectar opal pine quartz river".split(
    " ",
  );

  it.each<[string, (at: number) => Doing]>([
    [
      "opens a record, and saves it as it saved the others",
      (at) =>
        at % 2 === 1
          ? { tool: "open_record", args: { id: 4000 + at * 7 }, output: "ok" }
          : { tool: "save", args: {}, output: "saved" },
    ],
    [
      "works through requests by their ids",
      (at) => ({ tool: "refund", args: { request_id: `r-${at * 7919}` }, output: "ok" }),
    ],
    [
      "reads files that speak of failures",
      (at) => ({
        tool: "read_file",
        args: { path: `src/${names[at % 16]}/${at}.ts` },
        output: `function ${names[at % 16]}${at}() {\n  throw new Error('failed');\n}`,
      }),
    ],
    [
      "turns the pages of a course whose menu stays",
      (at) => ({
        tool: "browser_click",
        args: { element: "Next" },
        output: `${names.map((name) => `- link "${name}"`).join("\n")}\n- heading "The rule about ${names[at % 16]} ${names[(at >> 4) + 1]}"`,
      }),
    ],
    [
      "sees a number grow among others that stay",
      (at) => ({
        tool: "get_dashboard",
        args: {},
        output: JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, "fine"])), frames_done: 8 * at }),
      }),
    ],
    [
      "tells one thing to many people",
      (at) => ({
        tool: "send_message",
        args: { to: `${5 + Math.floor(at / 6)}${"abcdef"[at % 6]}`, text: "School ends at noon on Friday." },
        output: "sent",
      }),
    ],
    ["looks at pictures as bytes", (at) => ({ tool: "read_frame", args: {}, output: new Uint8Array([at, 2, 3]) })],
    [
      "tries each item a few times until it works",
      (at) => ({ tool: "scan", args: {}, output: at % 5 === 0 ? `bin ${at} of ${names[at % 16]}` : "no read" }),
    ],
  ])("%s, and is never refused", (_, doing) => {
    expect(biteOf(doing, {}, 60)).toMatchObject({ refused: undefined, ended: undefined });
  });

  it("looks at one day after another and finds nothing, and is never refused", () => {
    const day = (at: number) => `2026-11-${String(at).padStart(2, "0")}`;
    const bite = biteOf((at) => ({ tool: "search_logs", args: { day: day(at), text: "timeout" }, output: [] }), {}, 30);

    expect(bite).toMatchObject({ refused: undefined, ended: undefined });
  });

  it("edits file after file while one test stays red, and is never ended", () => {
    const bite = biteOf(
      (at) =>
        at % 2 === 1
          ? { tool: "edit_file", args: { path: `src/${at}.ts`, old: "var x", new: "const x" }, output: "updated" }
          : {
              tool: "bash",
              args: { command: "npm test" },
              output: "FAIL legacy.test.ts\n expected 1 to be 2",
              error: true,
            },
      {},
      80,
    );

    expect(bite.told).toBeDefined();
    expect(bite.ended).toBeUndefined();
  });

  it("trains a model that gets better while its check fails, and is refused late if at all", () => {
    const bite = biteOf(
      (at) =>
        at % 2 === 1
          ? { tool: "edit_file", args: { path: "train.py", old: `lr ${at}`, new: `lr ${at + 2}` }, output: "updated" }
          : {
              tool: "bash",
              args: { command: "python train.py" },
              output: `epoch 9 of 9\naccuracy ${(0.7 + at / 500).toFixed(3)}\nAssertionError: accuracy below the goal`,
              error: true,
            },
      {},
      40,
    );

    expect(bite.refused).toBeUndefined();
  });
});
