import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const source = resolve(import.meta.dirname, "..");
const WAYS =
  /innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|setHTMLUnsafe|document\.write|srcdoc|dangerouslySet|javascript:|\bnew Function\b|\beval\(/i;

describe("the source of the page", () => {
  it("knows no way to make markup or code of a text", () => {
    const files = globSync("**/*.{ts,tsx}", { cwd: source }).filter((file) => !file.endsWith(".test.ts"));

    expect(files.length).toBeGreaterThan(40);
    expect(files.filter((file) => WAYS.test(readFileSync(resolve(source, file), "utf8")))).toEqual([]);
  });
});
