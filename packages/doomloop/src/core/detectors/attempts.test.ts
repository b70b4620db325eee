import fc from "fast-check";
import { expect, it } from "vitest";
import { call, decisionsOf, failure, step, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const fails = (tool: string, args: unknown, words: string) => [call(tool, args), failure(words)];
const commands = ["psql -c 'select 1'", "pg_dump --schema-only", "createdb staging", "psql -f load.sql", "pg_ctl stat"];
const closed = (command: string) => fails("bash", { command }, "could not connect to the database server");
const names = ["ana", "boris", "chen", "dora", "emil", "fatma", "gert", "hana"];
const questions = [
  "trainees working abroad",
  "work abroad for trainees",
  "trainees abroad",
  "working abroad",
  "abroad",
];
const named = user(`Look up the name of ${names.join(", ")}.`);

it("tells of different calls with one failure at the fifth, and not at the third, in whatever order", () => {
  const property = fc.property(fc.shuffledSubarray(commands, { minLength: commands.length }), (tried) => {
    expect(decisionsOf(tried.slice(0, 3).flatMap(closed))).toEqual([]);
    expect(decisionsOf(tried.flatMap(closed))).toMatchObject([{ finding: { kind: "same-outcome", count: 5 } }]);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});

it("tells of one question in other words, and of a tool that does not exist", () => {
  const missing = (name: string) => fails("web_serch", { for: name }, "Error: no such tool: web_serch");

  expect(decisionsOf(questions.flatMap((query) => step("handbook_search", { query }, "[]")))).not.toEqual([]);
  expect(decisionsOf(names.flatMap(missing))[0]).toMatchObject({ at: 5, action: "nudge" });
});

it.each([
  ["the user has named", [named, ...names.flatMap((name) => fails("get_user", { name }, "error: no such user"))]],
  ["bring something new", names.flatMap((name) => step("search", { name }, `${name} has 2 lamps, paid by ${name}`))],
  ["pass without a word", names.flatMap((name) => step("bash", { command: `npx eslint src/${name}.ts` }, ""))],
  ["are acts, acknowledged", names.flatMap((name) => step("insert_row", { name }, "ok"))],
])("leaves items of a list alone that %s", (_, events) => {
  expect(decisionsOf(events)).toEqual([]);
});
