import { expect, it } from "vitest";
import { type ReadTraceOptions, readTrace } from "./read-trace.ts";

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function runsOf(text: string, options: ReadTraceOptions = {}): Promise<string[]> {
  const runs: string[] = [];
  for await (const { run, events } of readTrace(bytesOf(text), options)) runs.push(`${run}/${events.length}`);
  return runs;
}

const RUN = '{"run":"a","events":[{"type":"round"}]}';

it("reads one run a line", async () => {
  expect(await runsOf(`${RUN}\n{"run":"b","model":"m","events":[]}\n`)).toEqual(["a/1", "b/0"]);
});

it("reads a file with blank lines, carriage returns and a byte order mark", async () => {
  expect(await runsOf(`\uFEFF${RUN}\r\n\r\n  \n${RUN}\r\n`)).toEqual(["a/1", "a/1"]);
});

it.each([
  { title: "no JSON", line: '{"run":"a",' },
  { title: "a list", line: "[1]" },
  { title: "null", line: "null" },
  { title: "a run without a name", line: '{"events":[]}' },
  { title: "a run whose name is a number", line: '{"run":1,"events":[]}' },
  { title: "a run without events", line: '{"run":"a"}' },
  { title: "a run whose events are no list", line: '{"run":"a","events":{"length":1}}' },
])("leaves out $title, says so, and reads on", async ({ line }) => {
  const skipped: string[] = [];
  const options: ReadTraceOptions = { onSkipped: (number, reason) => void skipped.push(`${number} ${reason}`) };

  expect(await runsOf(`${RUN}\n${line}\n${RUN}\n`, options)).toEqual(["a/1", "a/1"]);
  expect(skipped).toEqual(["2 malformed"]);
});

it("leaves out a line that is too long, says so, and reads on", async () => {
  const skipped: string[] = [];
  const options: ReadTraceOptions = {
    maxLineBytes: 60,
    onSkipped: (number, reason) => void skipped.push(`${number} ${reason}`),
  };

  expect(await runsOf(`{"run":"${"x".repeat(60)}","events":[]}\n${RUN}\n`, options)).toEqual(["a/1"]);
  expect(skipped).toEqual(["1 too-long"]);
});
