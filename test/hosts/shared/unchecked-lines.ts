import { readFileSync } from "node:fs";

/** The lines of a page's TypeScript that a file of type tests does not have: nobody has checked them against the package. */
export function uncheckedLines(host: string): string[] {
  const page = read(`../../../docs/adapters/${host}.md`);
  const checked = new Set(linesOf(read(`../${host}/page.test-d.ts`)));
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
  if (blocks.length === 0) throw new Error(`uncheckedLines: code is required, got a page of ${host} without any`);
  return blocks.flatMap(linesOf).filter((line) => !checked.has(line));
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}

/** An import of several names is as many lines. */
function linesOf(code: string): string[] {
  return code.split("\n").flatMap((line) => {
    const [, names, from] = /^import \{ (.*) \} (from .*)$/.exec(line) ?? [];
    const lines = names?.split(", ").map((name) => `import { ${name} } ${from}`) ?? [line.trim()];
    return lines.filter((each) => each !== "");
  });
}
