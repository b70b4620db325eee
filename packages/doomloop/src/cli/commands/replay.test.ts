import { expect, it } from "vitest";
import { replayJson } from "./replay.ts";

it("prints one object a run, without anything but what the schema names", () => {
  const decision = { call: 17, action: "nudge", kind: "call-cycle", confidence: 0.97, tools: ["ls"] } as const;
  const line = replayJson("a", { calls: 123, decisions: [decision], badEvents: 1, faults: 0 });

  expect(line).toBe(
    '{"schemaVersion":1,"run":"a","calls":123,"decisions":[{"call":17,"action":"nudge","kind":"call-cycle","confidence":0.97}]}\n',
  );
});

it("keeps each run on one line of plain JSON, whatever its name", () => {
  const line = replayJson("a\n\u2028\ud800", { calls: 0, decisions: [], badEvents: 0, faults: 0 });

  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line).run).toBe("a\n\u2028\ud800");
});
