import { keepBudgets } from "./budget.ts";
import { keepConformance } from "./generated/conformance.ts";
import { keepFigures } from "./generated/figures.ts";
import { keepMessages } from "./generated/messages.ts";
import { keepPrices } from "./generated/prices.ts";
import { keepSnippets } from "./generated/snippets.ts";
import { keepSurface } from "./generated/surface.ts";
import { keepVersion } from "./generated/version.ts";
import { keepVocabulary } from "./generated/vocabulary.ts";
import { report } from "./repository.ts";

/**
 * Writes what is made from something else in the repository; `npm run fix` does it. With `--check`, writes nothing, and fails if something is
 * not up to date. Names choose.
 */
const GENERATORS: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  version: keepVersion,
  surface: keepSurface,
  vocabulary: keepVocabulary,
  conformance: keepConformance,
  messages: keepMessages,
  prices: keepPrices,
  figures: keepFigures,
  snippets: keepSnippets,
  // Last: it counts what the others have written.
  budgets: keepBudgets,
};

const asked = process.argv.slice(2).filter((word) => word !== "--check");
const unknown = asked.filter((name) => !Object.hasOwn(GENERATORS, name));
if (unknown.length > 0) throw new Error(`generate: ${Object.keys(GENERATORS).join(", ")} are known, got ${unknown}`);

const faults: string[] = [];
const names = asked.length > 0 ? asked : Object.keys(GENERATORS);
for (const name of names) faults.push(...(await GENERATORS[name]!()));
report(faults, names.join(", "));
