import { expect, it } from "vitest";
import type { HookInput } from "./dialect.ts";
import { withinLimits } from "./limits.ts";

const call = { id: "call-1", tool: "Bash", args: {} };
const input: HookInput = {
  event: "PreToolUse",
  session: "s1",
  agent: undefined,
  folder: "/project",
  moment: { type: "call", call },
  canAsk: false,
};

it("leaves a usual event as it is", () => {
  expect(withinLimits(input)).toEqual(input);
});

it("keeps nothing long of ids, and tells long ones apart", () => {
  const long = (at: number): HookInput => {
    const id = `${"x".repeat(3_000_000)}${at}`;
    const moment = { type: "batch", results: [{ call: { ...call, id }, output: "" }] } as const;
    return withinLimits({ ...input, session: id, agent: id, moment });
  };

  expect(JSON.stringify(long(1)).length).toBeLessThan(500);
  expect(long(1)).toEqual(long(1));
  expect(long(1).session).not.toBe(long(2).session);
});

it.each([["/x".repeat(3_000)], ["/project\u001b[2J"]])("knows no folder like this", (folder) => {
  expect(withinLimits({ ...input, folder }).folder).toBeUndefined();
});
