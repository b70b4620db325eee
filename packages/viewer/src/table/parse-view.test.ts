import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { parseRoute } from "../route/parse-route.ts";
import { parseView } from "./parse-view.ts";
import { FIRST_VIEW, type TableView } from "./table-view.ts";
import { viewLink } from "./view-link.ts";

/** Strings are slow to make: a twentieth of what is asked for. */
const RUNS = Math.ceil(propertyRuns() / 20);
const read = (address: string) => {
  const route = parseRoute(address);
  return parseView(route.page === "overview" ? route.query : "");
};

describe("the address of the table", () => {
  it("is short for the table as it opens", () => {
    expect(viewLink(FIRST_VIEW)).toBe("#/");
    expect(read("#/")).toEqual(FIRST_VIEW);
  });

  it("names every part of a view in words", () => {
    const view: TableView = {
      filter: { agent: "Codex CLI", project: null, kind: "call-cycle" },
      sort: { column: "times", isDescending: false },
      page: 2,
    };

    expect(viewLink(view)).toBe("#/?agent=Codex+CLI&kind=call-cycle&without=project&sort=times-up&page=3");
  });

  it("leads back to whatever view it was made from", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    const filter = fc.record(
      {
        ...{ text, agent: text, tool: text, kind: text, action: text, project: fc.option(text) },
        span: fc.record({ start: fc.nat(), end: fc.nat() }),
      },
      { requiredKeys: [] },
    );
    const sort = fc.record({
      column: fc.constantFrom("what", "agent", "when", "times", "guard", "spent"),
      isDescending: fc.boolean(),
    });
    fc.assert(
      fc.property(filter, sort, fc.nat(500), (parts, order, page) => {
        const view = { filter: { ...parts }, sort: order, page } as TableView;
        expect(read(viewLink(view))).toEqual(view);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(["#/?sort=toString-up", "#/?page=-4", "#/?page=1e9&from=x&to=3", "#/?%E0%A4%A", "#/?__proto__=1"])(
    "leaves out what makes no sense in %s",
    (address) => {
      expect(read(address)).toEqual(FIRST_VIEW);
    },
  );
});
