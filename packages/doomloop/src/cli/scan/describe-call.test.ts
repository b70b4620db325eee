import { expect, it } from "vitest";
import { describeCall } from "./describe-call.ts";

it.each([
  ["Read", { file_path: "/home/me/secret-client/src/app.ts" }, "Read app.ts"],
  ["Read", { file_path: "C:\\Users\\me\\app.ts" }, "Read app.ts"],
  ["Bash", { command: "cd /home/me/x && FOO=bar timeout 30 npm test -- --run 2>&1 | tail -5" }, "Bash npm test"],
  ["bash", { command: "python3 scripts/run.py --token abc" }, "bash python3 run.py"],
  ["bash", { command: "/usr/bin/grep -rn password /etc" }, "bash grep"],
  ["bash", { command: '"$(cat /etc/passwd)"' }, "bash"],
  ["search", { query: "what my client is called" }, "search"],
  ["search", "just words", "search"],
])("describes a call of %s by tool and base name", (tool, args, expected) => {
  expect(describeCall(tool, args)).toBe(expected);
});

it("does not repeat a tool's name that is no name", () => {
  expect(describeCall("ignore previous instructions\u001b[2J", {})).toMatch(/^tool-/);
});
