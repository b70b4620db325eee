import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { registryReadme } from "../../scripts/package/registry-readme.ts";

const page = "https://github.com/doomloop/doomloop/blob/v1.2.3";
const raw = "https://raw.githubusercontent.com/doomloop/doomloop/v1.2.3";

describe("the README for a registry", () => {
  it.each([
    [
      "[how](docs/guard.md#rounds) and [why](./ARCHITECTURE.md)",
      `[how](${page}/docs/guard.md#rounds) and [why](${page}/ARCHITECTURE.md)`,
    ],
    ["![loop](docs/loop.svg)", `![loop](${raw}/docs/loop.svg)`],
    ["[![loop](docs/loop.svg)](docs/scan.md)", `[![loop](${raw}/docs/loop.svg)](${page}/docs/scan.md)`],
    ["[`code`](docs/a.md)", `[\`code\`](${page}/docs/a.md)`],
    ["[guard]: docs/guard.md", `[guard]: ${page}/docs/guard.md`],
    ['<a href="docs/scan.md">', `<a href="${page}/docs/scan.md">`],
    ['<img alt="" src="/docs/a.png" width="1">', `<img alt="" src="${raw}/docs/a.png" width="1">`],
    ['<source srcset="docs/a.svg 1x, docs/b.svg 2x">', `<source srcset="${raw}/docs/a.svg 1x, ${raw}/docs/b.svg 2x">`],
    ['<source srcset="docs/dark.svg" media="(x)">', `<source srcset="${raw}/docs/dark.svg" media="(x)">`],
  ])("gives %s its whole address", (text, expected) => {
    expect(registryReadme(text, "1.2.3")).toBe(expected);
  });

  it.each([
    "[here](#see-your-loops)",
    "[there](https://example.com/docs/a.md)",
    "[write](mailto:a@example.com)",
    '<img src="https://example.com/a.png">',
    "an array[0](not a link",
    "```md\n[code](docs/a.md)\n```",
    "- item\n\n  ```md\n  [code](docs/a.md)\n  ```",
  ])("leaves %s as it is", (text) => {
    expect(registryReadme(text, "1.2.3")).toBe(text);
  });

  it("goes on behind code", () => {
    expect(registryReadme("```sh\nls [a](b)\n```\n[a](b)\n", "1.2.3")).toBe(
      `\`\`\`sh\nls [a](b)\n\`\`\`\n[a](${page}/b)\n`,
    );
  });

  it("leaves no link of ours that needs the repository around it", () => {
    const readme = registryReadme(readFileSync(resolve(import.meta.dirname, "../../README.md"), "utf8"), "1.2.3");
    const prose = readme.replaceAll(/^```.*?^```/gms, "");
    const targets = [...prose.matchAll(/\]\(([^)\s]+)|(?:src|srcset|href)="([^"]+)/g)].map(([, a, b]) => a ?? b);

    expect(targets.length).toBeGreaterThan(10);
    expect(targets.filter((target) => !/^(?:https:|#)/.test(target!))).toEqual([]);
  });
});
