import { fillTemplate, insertBehind, type Names, type Plan, requireFreeNames } from "./plan.ts";

const agents = "packages/doomloop/src/agents";
const fixtures = "test/transcripts/fixtures";

/** A coding agent in its folder, its line in the list, and a golden file that holds its reader to the contract. */
export function planAgent(names: Names): Plan {
  const { kebab, camel } = names;
  const folder = `${agents}/${kebab}`;
  const inFolder = ["README.md", "agent.ts", "agent.test.ts", "hook.ts", "settings.ts", "doctor.ts"];
  const ofReader = ["parse.ts", "reader.ts", "reader.test.ts"];
  return {
    files: {
      ...Object.fromEntries(inFolder.map((file) => [`${folder}/${file}`, fillTemplate(`agent/${file}`, names)])),
      ...Object.fromEntries(ofReader.map((file) => [`${folder}/${file}`, readerFile(file, names)])),
      [`${fixtures}/${kebab}/session.jsonl`]: fillTemplate("reader/session.jsonl", names),
      [`${fixtures}/${kebab}/session.jsonl.golden`]: fillTemplate("reader/session.jsonl.golden", names),
    },
    edits: [
      {
        path: `${agents}/index.ts`,
        apply(text) {
          requireFreeNames(text, [camel]);
          const listed = insertBehind(text, "  pi,\n", `  ${camel},\n`);
          return insertBehind(listed, `from "./pi/agent.ts";\n`, `import { ${camel} } from "./${kebab}/agent.ts";\n`);
        },
      },
    ],
    next: [
      `npx vitest run ${folder}`,
      `Edit ${folder}/hook.ts and doctor.ts: what the agent really tells its hooks, and which answers it understands. The contract plays a loop with the sample events of doctor.ts.`,
      `Edit ${folder}/settings.ts: where its settings are, and what belongs there.`,
      `Put a real transcript, shortened and without anybody's data, in place of ${fixtures}/${kebab}/session.jsonl, and edit parse.ts and reader.ts until it is read. npx vitest run -u ${folder}/reader.test.ts writes the golden file anew: read it line by line before you commit it.`,
      `Remove the parts that the agent does not have from ${folder}/agent.ts, with their files.`,
      "Add its lines to docs/coding-agents.md and docs/transcripts.md, then npm run check && npm test.",
    ],
  };
}

/** A file of the reader's templates, which are written for a folder of `transcripts/`. */
function readerFile(file: string, names: Names): string {
  const { camel } = names;
  return fillTemplate(`reader/${file}`, names)
    .replaceAll('from "../', (start, at: number, text: string) =>
      text.startsWith('from "../..', at) ? start : 'from "../../transcripts/',
    )
    .replaceAll(new RegExp(`\\b${camel}\\b(?=[:,]| \\})`, "g"), `${camel}Reader`);
}
