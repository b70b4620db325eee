import { expect, it } from "vitest";
import { createProgress, createScanProgress, type ScanProgressOptions } from "./progress.ts";

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

it("removes all lines of a longer text", () => {
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

it("shows news at once, but nothing for short work", () => {
  const stream = recorder(true);
  let nowMs = 0;
  const progress = createProgress(stream, () => nowMs);
  for (; nowMs <= 350; nowMs += 50) progress.show(`${nowMs} ms`, { isNews: nowMs === 50 || nowMs === 350 });

  expect(stream.written).toEqual(["\r\u001b[2K300 ms", "\r\u001b[2K350 ms"]);
});

/** A scan of 100 MB that starts to read after 400 ms, and reads 10 MB a second. */
function shownTexts(options: ScanProgressOptions, untilMs: number, costMs = 0): string[] {
  const texts: string[] = [];
  let nowMs = 0;
  const stream = { isTTY: true, write: (text: string | Uint8Array) => texts.push(String(text)) > 0 };
  const now = (): number => nowMs;
  const { findings } = options;
  const tell = createScanProgress(createProgress(stream, now), now, {
    findings:
      findings &&
      (() => {
        nowMs += costMs;
        return findings();
      }),
  });
  for (nowMs = 400; nowMs <= untilMs; nowMs += 50) tell((nowMs - 400) * 10_000, 100_000_000);
  return texts.map((text) => text.slice(text.search(/[A-Z0-9](?!\w{0,2}[AKJ])/)));
}

it("shows the share, and the rate and remaining time as soon as they are meaningful", () => {
  const texts = shownTexts({}, 1_400);

  expect(texts[0]).toContain("Scanning 0% of 100MB");
  expect(texts[0]).not.toContain("left");
  expect(texts.at(-1)).toContain("Scanning 10% of 100MB, 10.0MB/s, 9 s left");
});

it("shows findings above the progress as soon as there are any", () => {
  let asked = 0;
  const texts = shownTexts({ findings: () => (++asked < 4 ? undefined : `found ${asked}`) }, 700);

  expect(texts[0]).not.toContain("found");
  expect(texts[1]).toMatch(/found \d\nScanning 1%/);
});

it("limits the time spent on building findings", () => {
  let asked = 0;
  const texts = shownTexts({ findings: () => `found ${++asked}` }, 4_000, 40);

  expect(texts.length).toBeGreaterThan(10);
  expect(asked).toBeLessThanOrEqual(6);
});
