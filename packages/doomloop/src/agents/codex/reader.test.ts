import { expect, it } from "vitest";
import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { itemsOfBytes } from "../../../../../test/transcripts/read-items.ts";
import { codexReader } from "./reader.ts";

transcriptReaderContract(codexReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});

const answer = (text: string) => ({
  type: "response_item",
  payload: { type: "message", role: "assistant", content: [{ type: "output_text", text }] },
});
const sum = (total: number) => ({
  type: "event_msg",
  payload: {
    type: "token_count",
    info: { total_token_usage: { total_tokens: total }, last_token_usage: { input_tokens: 90, output_tokens: 10 } },
  },
});

it.each([
  ["after", [answer("one"), sum(100), answer("two"), sum(200), sum(200), answer("three"), sum(300)]],
  ["before", [sum(100), answer("one"), sum(200), answer("two"), sum(200), sum(300), answer("three")]],
])("counts what each of several answers without a call took, if the sum comes %s the answer", (_, records) => {
  const lines = records.map((record) => JSON.stringify(record)).join("\n");
  const { events, usages } = itemsOfBytes([Buffer.from(lines)], codexReader);

  expect(usages.map(({ usage }) => usage.inputTokens + usage.outputTokens)).toEqual([100, 100, 100]);
  expect(events.map(({ event }) => (event.type === "text" ? event.text : event.type))).toEqual(
    ["one", "two", "three"].flatMap((text) => ["round", text]),
  );
});
