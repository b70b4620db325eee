import { expect, it } from "vitest";
import { createProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
}

it("shows the latest text, not at once and not too often, and takes it away", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  for (; nowMs <= 500; nowMs += 50) progress.show(`${nowMs} ms`);
  progress.clear();
  progress.clear();

  expect(stream.written).toEqual(["\r\u001b[2K300 ms", "\r\u001b[2K500 ms", "\r\u001b[2K"]);
});

it("leaves a stream alone that is no terminal", () => {
  const stream = recorder(false);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  nowMs = 1000;
  progress.show("1 run");
  progress.clear();

  expect(stream.written).toEqual([]);
});

it("takes all lines of a longer text away", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  nowMs = 300;
  progress.show(() => "1\n2\n3");
  nowMs = 500;
  progress.show("4");
  progress.clear();

  expect(stream.written).toEqual(["\r\u001b[2K1\n2\n3", "\u001b[2A\r\u001b[J4", "\r\u001b[2K"]);
});

it("shows news at once, but nothing of a work that is soon over", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  for (; nowMs <= 350; nowMs += 50) progress.show(`${nowMs} ms`, { isNews: nowMs === 50 || nowMs === 350 });

  expect(stream.written).toEqual(["\r\u001b[2K300 ms", "\r\u001b[2K350 ms"]);
});
