import { expect, it } from "vitest";
import { transcriptReaderContract } from "../../../../../test/contracts/transcript-reader.ts";
import type { TranscriptSink } from "../../transcripts/reader.ts";
import { antigravityCliReader, stepOf } from "./reader.ts";

transcriptReaderContract(antigravityCliReader, {
  events: ["call", "compaction", "reasoning", "result", "round", "text", "user"],
  hasUsage: false,
});

it("reads a conversation once if there is a copy with whole texts", () => {
  const runs: string[] = [];
  const sink: TranscriptSink = { session: (run) => runs.push(run), event: () => {}, usage: () => {}, end: () => {} };
  const logs = "/home/dev/.gemini/antigravity-cli/brain/c-1/.system_generated/logs";
  for (const name of ["transcript.jsonl", "transcript_full.jsonl"]) {
    const parser = antigravityCliReader.open({ path: `${logs}/${name}`, hasFile: () => true }, sink);
    expect(parser.record({ step_index: 0, source: "USER_EXPLICIT", type: "USER_INPUT", content: "hello" })).toBe(true);
    parser.end();
  }

  expect(runs).toEqual(["c-1"]);
});

const times = "Created At: 2026-11-18T10:00:00Z\nCompleted At: 2026-11-18T10:00:01Z\n";
const RESULT = { step_index: 3, source: "MODEL", type: "RUN_COMMAND", status: "DONE" };

it.each([
  ["\n\t\tThe command completed successfully.\n\t\tOutput:\n\t\tfine\n", "fine\n", false],
  ["\n\t\tThe command failed with exit code: 2\n\t\tOutput:\n\t\t1 failed\n", "1 failed\n", true],
  ["\n\t\tThe command exited with code 1.\n\t\tOutput:\n\t\t", "", undefined],
  ["a file", "a file", undefined],
])("reads what a command printed, and how it ended: %s", (told, output, error) => {
  expect(stepOf({ ...RESULT, content: `${times}${told}` })).toEqual({ type: "result", key: "3", output, error });
});

it.each([
  [{ ...RESULT, status: "ERROR", content: "no such file" }],
  [{ ...RESULT, source: "SYSTEM", type: "ERROR_MESSAGE", content: "no such file" }],
])("knows a failure: %j", (record) => {
  expect(stepOf(record)).toMatchObject({ output: "no such file", error: true });
});

it("reads arguments as other agents write them, without the model's description", () => {
  const args = { CommandLine: '"npm test"', Cwd: "/work", toolAction: '"Running tests"', toolSummary: '"Tests"' };
  const told = {
    step_index: 2,
    source: "MODEL",
    type: "PLANNER_RESPONSE",
    tool_calls: [{ name: "run_command", args }],
  };

  expect(stepOf(told)).toMatchObject({ calls: [{ id: "2.0", args: { command: "npm test", Cwd: "/work" } }] });
});

it.each([undefined, null, "text", [], {}, { type: "USER_INPUT" }, { step_index: "1", type: "USER_INPUT" }])(
  "knows no step in %j",
  (value) => {
    expect(stepOf(value)).toBe(undefined);
  },
);
