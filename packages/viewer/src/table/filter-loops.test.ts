import { describe, expect, it } from "vitest";
import { sampleLoop, sampleRow } from "../report/sample.ts";
import { filterLoops } from "./filter-loops.ts";
import { FIRST_VIEW, narrow } from "./table-view.ts";

const rows = [
  sampleRow({
    agent: "codex",
    project: "shop",
    time: 10,
    words: "bash npm\ncodex\nshop",
    loop: sampleLoop({ tools: ["Bash"] }),
  }),
  sampleRow({
    agent: "pi",
    time: 20,
    words: "read cart.ts\npi",
    loop: sampleLoop({ kind: "call-cycle", tools: ["Read", "Grep"], decisions: [{ call: 3, action: "block" }] }),
  }),
];
const found = (filter: Parameters<typeof filterLoops>[1]) => filterLoops(rows, filter).map(({ agent }) => agent);

describe("the filter of the table", () => {
  it.each([
    [{}, ["codex", "pi"]],
    [{ text: "  SHOP npm " }, ["codex"]],
    [{ text: "npm cart" }, []],
    [{ text: ".*" }, []],
    [{ agent: "pi" }, ["pi"]],
    [{ project: null }, ["pi"]],
    [{ project: "shop" }, ["codex"]],
    [{ tool: "Grep" }, ["pi"]],
    [{ tool: "bash" }, ["codex"]],
    [{ kind: "call-cycle" }, ["pi"]],
    [{ action: "block" }, ["pi"]],
    [{ span: { start: 10, end: 20 } }, ["codex"]],
    [{ agent: "pi", project: "shop" }, []],
  ])("%j finds %j", (filter, agents) => {
    expect(found(filter)).toEqual(agents);
  });

  it("is narrowed part by part, and begins at the first page again", () => {
    const view = narrow({ ...FIRST_VIEW, page: 3, filter: { agent: "pi" } }, { kind: "fleet", text: "x" });

    expect(view).toMatchObject({ page: 0, filter: { agent: "pi", kind: "fleet", text: "x" } });
    expect(narrow(view, { agent: undefined, text: "" }).filter).toEqual({ kind: "fleet" });
    expect(narrow(view, { project: null }).filter).toHaveProperty("project", null);
  });
});
