import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { MessageTemplates } from "../../packages/doomloop/src/index.ts";
import { byLevel, intervalOf, measureWords, type Share, type WordsRow } from "./measure-words.ts";
import { STUCK } from "./stuck-conversations.ts";

/**
 * How often a model leaves a loop with its next step, with the guard's words and without them. Prints a table.
 *
 * `main.ts --url http://127.0.0.1:11434/v1 --model NAME [--samples N] [--temperature N] [--key-env NAME] [--messages FILE] [--json FILE]`.
 * The file of `--messages` exports `messages`, as `createGuard` takes them, to try other words.
 */
const { values: asked } = parseArgs({
  options: {
    url: { type: "string" },
    model: { type: "string" },
    samples: { type: "string", default: "20" },
    temperature: { type: "string", default: "0.7" },
    "key-env": { type: "string" },
    messages: { type: "string" },
    json: { type: "string" },
  },
});
if (asked.url === undefined || asked.model === undefined) {
  console.error("usage: npm run bench:words -- --url http://127.0.0.1:11434/v1 --model NAME");
  process.exit(2);
}

const address = {
  url: asked.url,
  model: asked.model,
  key: asked["key-env"] === undefined ? undefined : process.env[asked["key-env"]],
  temperature: Number(asked.temperature),
};
const own =
  asked.messages === undefined
    ? undefined
    : ((await import(pathToFileURL(resolve(asked.messages)).href)) as { messages: MessageTemplates }).messages;
const rows = await measureWords(address, STUCK, Number(asked.samples), own);

const line = ({ conversation, level, withWords, without }: WordsRow): string =>
  `| ${conversation} | ${level} | ${shown(without)} | ${shown(withWords)} |`;
console.log(
  ["| conversation | words | left without them | left with them |", "|---|---|--:|--:|"]
    .concat([...rows, ...byLevel(rows)].map(line))
    .join("\n"),
);
console.log(
  `\n${asked.model}, ${asked.samples} answers each, temperature ${asked.temperature}. In brackets: 95 % intervals.`,
);
if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(rows, null, 2)}\n`);

function shown(share: Share): string {
  const percent = (value: number): string => (value * 100).toFixed(0);
  const [lowest, highest] = intervalOf(share);
  return `${percent(share.left / share.asked)} % (${percent(lowest)} to ${percent(highest)})`;
}
