import { expect, it } from "vitest";
import { bodyLimit, heapLimit, placesIn } from "./memory-share.ts";

const MB = 1_048_576;

it("keeps runs and bodies well below the limit of a small container", () => {
  const memory = 128 * MB;

  expect(heapLimit(memory)).toBeCloseTo(51.2 * MB);
  expect(placesIn(0.6, heapLimit(memory))).toBe(245);
  expect(bodyLimit(memory)).toBe(8 * MB);
});

it("takes what Node allows on a large machine", () => {
  const memory = 1_000_000 * MB;

  expect(heapLimit(memory)).toBeLessThan(memory * 0.4);
  expect(bodyLimit(memory)).toBe(256_000_000);
});

it("has a place for one, however little memory there is", () => {
  expect(placesIn(0.6, 1)).toBe(1);
});
