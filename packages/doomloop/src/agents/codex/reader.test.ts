import { expect, it } from "vitest";
import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import { codexReader, trimLine } from "./reader.ts";

transcriptReaderContract(codexReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: true,
});

const event = (type: string) =>
  `{"timestamp":"2026-10-01T08:00:00.000Z","ordinal":3,"type":"event_msg","payload":{"type":"${type}","a":{}}}`;

it("needs nothing of what Codex shows on its screen, and all of what answers took", () => {
  expect(["exec_command_end", "agent_message", "item_completed"].map((type) => trimLine(event(type)))).toEqual([
    "",
    "",
    "",
  ]);
  expect(trimLine(event("token_count"))).toBe(event("token_count"));
});

it.each([
  event("agent_message").slice(0, -2),
  event(String.raw`token\u005fcount`),
  event("x").replace("event_msg", "response_item"),
  `{"a":${event("agent_message")}}`,
])("leaves %s as it is", (line) => {
  expect(trimLine(line)).toBe(line);
});
