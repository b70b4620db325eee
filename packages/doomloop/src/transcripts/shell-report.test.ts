import { expect, it } from "vitest";
import { shellReport } from "./shell-report.ts";

it("leaves out what differs each time", () => {
  const report = (group: number) =>
    `<untrusted_context>\nOutput: tea 3\nProcess Group PGID: ${group}\n</untrusted_context>`;

  expect(shellReport(report(17))).toEqual({ output: "Output: tea 3", error: false });
  expect(shellReport(report(18))).toEqual(shellReport(report(17)));
});

it("leaves out lines that say nothing", () => {
  const told =
    'Command: gh run view 7\nOutput: {"status":"in_progress"}\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 1';

  expect(shellReport(told).output).toBe('Command: gh run view 7\nOutput: {"status":"in_progress"}\nExit Code: 0');
});

it.each([
  { title: "a failure", told: "Output: no such file\nExit Code: 2\nProcess Group PGID: 1", error: true },
  { title: "a search without a match", told: "Output: (empty)\nExit Code: 1\nProcess Group PGID: 1", error: undefined },
  { title: "a silent failure", told: "Output: (empty)\nExit Code: 2\nProcess Group PGID: 1", error: true },
])("recognises $title", ({ told, error }) => {
  expect(shellReport(told).error).toBe(error);
});

it("leaves everything else unchanged", () => {
  for (const told of ["tea 3", { a: 1 }, undefined])
    expect(shellReport(told)).toEqual({ output: told, error: undefined });
});
