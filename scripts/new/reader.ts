import { fillTemplate, insertBefore, insertBehind, type Names, type Plan, requireFreeNames } from "./plan.ts";

const source = "packages/doomloop/src";
const transcripts = `${source}/transcripts`;
const fixtures = "test/transcripts/fixtures";

/** A reader in its folder, its line in the list, and a golden file that holds it to the contract. */
export function planReader(names: Names): Plan {
  const { kebab, camel } = names;
  const folder = `${transcripts}/${kebab}`;
  const inFolder = ["README.md", "parse.ts", "reader.ts", "reader.test.ts"];
  return {
    files: {
      ...Object.fromEntries(inFolder.map((file) => [`${folder}/${file}`, fillTemplate(`reader/${file}`, names)])),
      [`${fixtures}/${kebab}/session.jsonl`]: fillTemplate("reader/session.jsonl", names),
      [`${fixtures}/${kebab}/session.jsonl.golden`]: fillTemplate("reader/session.jsonl.golden", names),
    },
    edits: [
      {
        path: `${source}/scan/readers.ts`,
        apply(text) {
          // Before the readers of what many tools write: a file belongs to the first that takes it for its own.
          requireFreeNames(text, [camel]);
          const listed = insertBefore(text, "  openaiMessages,\n", `  ${camel},\n`);
          return insertBehind(listed, `from "../agents/index.ts";\n`, importOf(names));
        },
      },
    ],
    next: [
      `npx vitest run ${folder}/reader.test.ts`,
      `Put a real transcript, shortened and without anybody's data, in place of ${fixtures}/${kebab}/session.jsonl, and edit ${folder}/parse.ts until it is read.`,
      `npx vitest run -u ${folder}/reader.test.ts rewrites the golden file: read it line by line before you commit it.`,
      `Edit isMine and roots in ${folder}/reader.ts, and the table in README.md.`,
      "Add a line to docs/transcripts.md, then npm run check && npm test.",
    ],
  };
}

function importOf({ kebab, camel }: Names): string {
  return `import { ${camel} } from "../transcripts/${kebab}/reader.ts";\n`;
}
