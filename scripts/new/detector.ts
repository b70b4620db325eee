import { fillTemplate, insertBefore, insertBehind, type Names, type Plan, requireFreeNames } from "./plan.ts";

const core = "packages/doomloop/src/core";

/** A detector in the four places that make it work: the file, its test, its line in the list, its sentence. */
export function planDetector(names: Names): Plan {
  const { kebab, camel } = names;
  return {
    files: {
      [`${core}/detectors/${kebab}.ts`]: fillTemplate("detector/detector.ts", names),
      [`${core}/detectors/${kebab}.test.ts`]: fillTemplate("detector/detector.test.ts", names),
    },
    edits: [
      {
        path: `${core}/detectors/index.ts`,
        apply(text) {
          // Last: where an older detector sees the same loop, that one names it.
          requireFreeNames(text, [camel]);
          const listed = insertBefore(text, "} as const;", `  "${kebab}": ${camel},\n`);
          return insertBefore(listed, "import { textOnly }", `import { ${camel} } from "./${kebab}.ts";\n`);
        },
      },
      {
        path: `${core}/messages/sentences.ts`,
        apply(text) {
          requireFreeNames(text, [camel]);
          const listed = insertBehind(text, `  "text-only": textOnly,\n`, `  "${kebab}": ${camel},\n`);
          return insertBefore(listed, "const SENTENCES", fillTemplate("detector/sentence.ts", names));
        },
      },
    ],
    next: [
      `npx vitest run ${core}/detectors/${kebab}.test.ts`,
      `Edit ${core}/detectors/${kebab}.ts: it reports equal calls that directly follow each other, until you change what it detects.`,
      `Edit its message in ${core}/messages/sentences.ts, and keep them free of arguments and results.`,
      "Add a run that it must detect to test/scenarios/loops, and one that it must ignore to test/scenarios/innocent.",
      `Two more places make it complete, and npm test fails until they are there: its words for people in packages/doomloop/src/scan/report/words.ts, and its page docs/detectors/${kebab}.md, with a line in docs/detectors/README.md and in docs/.vitepress/groups.ts.`,
      `Others are optional: a drawn run for the page (docs/detectors/runs/${kebab}.jsonl, node scripts/draw-runs.ts), its types in packages/doomloop/src/index.ts, its thresholds in ${core}/policy/presets.ts, and isFailing in packages/doomloop/src/agents/hook/rollback.ts if its findings can be of calls that fail.`,
      "npm run check && npm test, then npm run bench:quality if you have recorded runs.",
    ],
  };
}
