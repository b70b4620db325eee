import { expect, it } from "vitest";
import { commandOutput } from "./command-output.ts";

const cell = (state: string, printed: string): string => `Script ${state}\nWall time 11.0 seconds\nOutput:\n${printed}`;

it.each([
  ["Chunk ID: 605aac\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nbad\n", "bad\n", true],
  ["Exit code: 0\nWall time: 0.1 seconds\nOutput:\nfine\n", "fine\n", false],
  ['{"output":"fine","metadata":{"exit_code":0}}', "fine", false],
  [cell("completed", "fine\n"), "fine\n", undefined],
  [cell("failed", "no such tool"), "no such tool", true],
  [cell("running with cell ID 66", ""), "Script running", undefined],
  [cell("running with cell ID 67", "half"), "Script running\nhalf", undefined],
  ["Script completed\nOutput:\nfine", "fine", undefined],
  ["Script completed", "Script completed", undefined],
])("takes the head off %j", (told, output, error) => {
  expect(commandOutput(told)).toEqual({ output, error });
});

it("takes the head off an output in blocks", () => {
  const block = (text: string) => ({ type: "input_text", text });

  expect(commandOutput([block(cell("completed", "")), block("fine")])).toEqual({
    output: [block("fine")],
    error: undefined,
  });
  expect(commandOutput([block("plain")])).toEqual({ output: [block("plain")], error: undefined });
});
