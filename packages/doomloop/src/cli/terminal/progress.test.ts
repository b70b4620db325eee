import { expect, it } from "vitest";
import { createProgress, createScanProgress } from "./progress.ts";

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 };
}

it("shows the latest text after a delay and at a limited rate, and removes it", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  for (; nowMs <= 500; nowMs += 50) progress.show(`${nowMs} ms`);
  progress.clear();
  progress.clear();

  expect(stream.written).toEqual(["\r\u001b[2K300 ms", "\r\u001b[2K500 ms", "\r\u001b[2K"]);
});

it("writes nothing to a stream that is not a terminal", () => {
  const stream = recorder(false);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  nowMs = 1000;
  progress.show("1 run");
  progress.clear();

  expect(stream.written).toEqual([]);
});

it("shows nothing for short work", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  for (; nowMs <= 350; nowMs += 50) progress.show(`${nowMs} ms`);

  expect(stream.written).toEqual(["\r\u001b[2K300 ms"]);
});

/** A scan of 100 MB that starts to read after 400 ms, and reads 10 MB a second. */
function shownTexts(untilMs: number): string[] {
  const texts: string[] = [];
  let nowMs = 0;
  const stream = { isTTY: true, write: (text: string | Uint8Array) => texts.push(String(text)) > 0 };
  const now = (): number => nowMs;
  const tell = createScanProgress(createProgress(stream, now), now);
  for (nowMs = 400; nowMs <= untilMs; nowMs += 50) tell((nowMs - 400) * 10_000, 100_000_000);
  return texts.map((text) => text.slice(text.search(/[A-Z0-9](?!\w{0,2}[AKJ])/)));
}

it("shows the share, and the rate and remaining time as soon as they are meaningful", () => {
  const texts = shownTexts(1_400);

  expect(texts[0]).toContain("Scanning 0% of 100MB");
  expect(texts[0]).not.toContain("left");
  expect(texts.at(-1)).toContain("Scanning 10% of 100MB, 10.0MB/s, 9 s left");
});
