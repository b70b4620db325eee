import { expect, it } from "vitest";
import { copilotCliHook } from "./hook.ts";

const call = {
  sessionId: "s",
  timestamp: 1,
  cwd: "/work",
  toolName: "view",
  toolArgs: { path: "/project/missing.txt" },
};

it("takes a failure for the result of the call that it names", () => {
  const failed = copilotCliHook.read({ ...call, error: "Path does not exist" })?.moment;

  expect(failed).toMatchObject({ type: "result", output: "Path does not exist", error: true });
  expect(copilotCliHook.read(call)?.moment).toEqual({ type: "call", call: (failed as { call: object }).call });
});
