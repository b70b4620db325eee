import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { registryReadme } from "../../scripts/package/registry-readme.ts";

const page = "https://github.com/doomloop/doomloop/blob/v1.2.3";
const raw = "https://raw.githubusercontent.com/doomloop/doomloop/v1.2.3";

it.each([
  [
    "[how](docs/guard.md#rounds) and [`why`](./ARCHITECTURE.md)",
    `[how](${page}/docs/guard.md#rounds) and [\`why\`](${page}/ARCHITECTURE.md)`,
  ],
  ["[![loop](docs/loop.svg)](docs/scan.md)", `[![loop](${raw}/docs/loop.svg)](${page}/docs/scan.md)`],
  ['<source srcset="docs/a.svg 1x, docs/b.svg 2x">', `<source srcset="${raw}/docs/a.svg 1x, ${raw}/docs/b.svg 2x">`],
  [
    "[here](#see-your-loops) [there](https://example.com/docs/a.md)",
    "[here](#see-your-loops) [there](https://example.com/docs/a.md)",
  ],
  ["```md\n[code](docs/a.md)\n```", "```md\n[code](docs/a.md)\n```"],
])("gives links and pictures their whole address in a registry's README: %s", (text, expected) => {
  expect(registryReadme(text, "1.2.3")).toBe(expected);
});

it("leaves no link of ours that needs the repository around it", () => {
  const readme = registryReadme(readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8"), "1.2.3");
  const prose = readme.replaceAll(/^```.*?^```/gms, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)|(?:src|srcset|href)="([^"]+)/g)].map(([, a, b]) => a ?? b);

  expect(targets.length).toBeGreaterThan(10);
  expect(targets.filter((target) => !/^(?:https:|#)/.test(target!))).toEqual([]);
});
