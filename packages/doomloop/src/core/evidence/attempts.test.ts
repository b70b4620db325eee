import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, step } from "../../testing/events.ts";

const DENIED = "error: permission denied";
const fails = (tool: string, args: unknown, words: string) => [call(tool, args), failure(words)];
const commands = [
  "psql -c 'select 1'",
  "pg_dump --schema-only",
  "createdb staging",
  "psql -f load.sql",
  "pg_restore dump",
];

describe("different calls that come to one thing", () => {
  it("are told at the fourth equal failure, and not before", () => {
    const events = commands.map((command) => fails("bash", { command }, "could not connect to the database server"));

    expect(decisionsOf(events.slice(0, 3).flat())).toEqual([]);
    expect(decisionsOf(events.flat())[0]).toMatchObject({
      finding: { kind: "same-outcome", evidence: { isFailing: true } },
    });
  });

  it("are no loop where they are the items of a list", () => {
    const names = ["ana", "boris", "chen", "dora", "emil", "fatma", "gert", "hana"];

    expect(decisionsOf(names.flatMap((name) => fails("get_user", { name }, "error: no such user")))).toEqual([]);
  });

  it("are a loop in spite of that where the door is closed", () => {
    const names = ["ana", "boris", "chen", "dora", "emil", "fatma"];

    expect(decisionsOf(names.flatMap((name) => fails("get_user", { name }, DENIED)))[0]).toMatchObject({
      finding: { kind: "same-outcome" },
    });
  });

  it("are told where one question in other words finds nothing", () => {
    const questions = [
      "trainees working abroad",
      "work abroad for trainees",
      "trainees abroad",
      "working from abroad as trainee",
      "trainee work abroad rules",
      "abroad work trainees policy",
    ];

    expect(
      decisionsOf(questions.flatMap((query) => step("handbook_search", { query }, "No results.")))[0],
    ).toMatchObject({
      finding: { kind: "stalled", evidence: { isEmpty: true } },
    });
  });

  it("are left alone where each finds something new", () => {
    const found = [1, 2, 3, 4, 5, 6].flatMap((page) =>
      step(
        "search",
        { query: `orders of customer ${page}` },
        `customer ${page} has ordered ${page} lamps and paid for ${page} of them`,
      ),
    );

    expect(decisionsOf(found)).toEqual([]);
  });
});

const PAGE = "Lamps and chairs\nTables of oak\nOpening hours\nHow to find us\nYour basket is empty";

describe("calls that bring only what the run knows", () => {
  it("are told of in the end, though no two of them are the same", () => {
    const clicks = Array.from({ length: 30 }, (_, at) =>
      step("browser_click", { element: `link ${at} of ${at * 3}` }, PAGE),
    );
    const [first] = decisionsOf(clicks.flat());

    expect(first?.action).toBe("nudge");
    expect(["stalled", "same-outcome"]).toContain(first?.finding?.kind);
  });

  it("are left alone where each brings something new", () => {
    const clicks = ["oak", "pine", "beech", "birch", "maple", "cedar", "larch", "walnut"].map((wood) =>
      step(
        "browser_click",
        { element: wood },
        `Tables of ${wood}\nChairs of ${wood}\nBeds of ${wood}\nWhat ${wood} costs`,
      ),
    );

    expect(decisionsOf(clicks.flat())).toEqual([]);
  });

  it("leaves checks of many files alone that all pass without a word", () => {
    const files = ["cart", "order", "user", "invoice", "session", "token", "router", "cache"];
    const events = files.flatMap((file) =>
      [file, `${file}-test`].flatMap((name) => step("bash", { command: `npx eslint src/${name}.ts` }, "")),
    );

    expect(decisionsOf(events)).toEqual([]);
  });

  it("leaves items alone whose long answers differ in a word, however many there are", () => {
    const template = "The order was packed on the second floor, and handed to the carrier. ".repeat(4);
    const events = Array.from({ length: 90 }, (_, at) =>
      step("read_order", { number: at }, `${template}It is for ${"BDKLM"[at % 5]}${"aeiou"[at % 4]}n, order ${at}.`),
    );

    expect(decisionsOf(events.flat())).toEqual([]);
  });
});
