import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { parseRoute } from "./parse-route.ts";
import { runLink } from "./run-link.ts";

/** Strings are slow to make: a twentieth of what is asked for. */
const RUNS = Math.ceil(propertyRuns() / 20);

describe("the address within the page", () => {
  it.each(["", "#", "#/", "#/run", "#/run/", "#/other/x", "run/x"])("%j is the overview", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "overview", query: "" });
  });

  it("keeps what the table is narrowed down to, slashes and all", () => {
    expect(parseRoute("#/?text=a/b&page=2")).toEqual({ page: "overview", query: "text=a/b&page=2" });
  });

  it("counts calls from 1", () => {
    expect(parseRoute("#/run/s1/1")).toEqual({ page: "run", id: "s1", call: 1 });
    expect(runLink("s1", 1)).toBe("#/run/s1/1");
  });

  it.each(["0", "-3", "x", "1e99", ""])("takes no call from %j", (call) => {
    expect(parseRoute(`#/run/s1/${call}`)).toEqual({ page: "run", id: "s1", call: null });
  });

  it("survives what cannot be decoded", () => {
    expect(parseRoute("#/run/%E0%A4%A")).toEqual({ page: "run", id: "%E0%A4%A", call: null });
  });

  it("leads back to whatever id it was made from", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), fc.integer({ min: 1 }), (id, call) => {
        expect(parseRoute(runLink(id, call))).toEqual({ page: "run", id: id.toWellFormed(), call });
      }),
      { numRuns: RUNS },
    );
  });
});
