import { expect, it } from "vitest";
import { costSourceInWords } from "./cost-source.ts";

it("says who says what a session cost", () => {
  expect(costSourceInWords("recorded", "2026-09-23")).toBe("as the agent recorded it");
  expect(costSourceInWords("priced", "2026-09-23")).toBe("by list prices of 2026-09-23");
  expect(costSourceInWords("estimated", "2026-09-23")).toBe("estimated from text, by list prices of 2026-09-23");
  expect(costSourceInWords("priced", null)).toBe("by list prices");
});

it("says nothing where there is no cost, or a report of another version says something else", () => {
  expect(costSourceInWords(null, "2026-09-23")).toBeUndefined();
  expect(costSourceInWords("guessed" as "priced", null)).toBeUndefined();
});
