import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { FleetReading } from "../../fleet/inspect/read-fleet.ts";
import { UsageError } from "../../system/usage-error.ts";
import { createOutput } from "../terminal/output.ts";
import { type FleetTopOptions, type FleetView, fleetTop } from "./fleet-top.ts";

const OPTIONS: FleetTopOptions = { url: "redis://store", interval: 0.2 };
const NAME = "SZPBqDjCghPlvH0a-Ow3uA";

function stuck(calls = 12): FleetReading {
  const settings = { calls: 10, workers: 2, windowMs: 300_000, keyMark: "0c4bb119" };
  const suspect = { name: NAME, tool: "fetch", calls, workers: 2, lastsMs: 250_000, isDeadEnd: true, isOfNow: true };
  const facts = { switch: "on", settings, isUsed: true, runs: 2, reported: 0, cleared: [], fault: undefined };
  return { ...facts, suspects: [suspect] };
}

/** Somebody who looks at a store that answers like this. */
function viewOf(read: () => Promise<FleetReading> = async () => stuck()) {
  const closed: string[] = [];
  const view: FleetView = { read, close: () => void closed.push("store") };
  return { view, closed };
}

/** A terminal that is none, or that has so many columns. */
function newTerminal(columns?: number) {
  const stream = new PassThrough();
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  const terminal = Object.assign(stream, { isTTY: columns !== undefined, columns: columns ?? 0, rows: 12 });
  return { terminal: terminal as unknown as NodeJS.WriteStream, text: () => text };
}

function start(view: FleetView, columns?: number, options = OPTIONS) {
  const { terminal, text } = newTerminal(columns);
  const controller = new AbortController();
  const streams = { output: createOutput(terminal), terminal, open: async () => view, signal: controller.signal };
  return { done: fleetTop(options, streams), end: () => controller.abort(), text, terminal };
}

describe("doomloop fleet top", () => {
  it("prints plain lines once where there is no terminal, and lets go of the store", async () => {
    const { view, closed } = viewOf();
    const { done, text } = start(view);

    expect(await done).toBe(0);
    expect(text().split("\n")).toEqual([
      "1 dead end | switch on | 2 runs active",
      "",
      "tool   calls  processes  counts for  call",
      "fetch     12          2  4 min 10 s  SZPBqDjC",
      "",
    ]);
    expect(closed).toEqual(["store"]);
  });

  it("draws again and again on a terminal, and gives it back when it is interrupted", async () => {
    let calls = 12;
    const { done, end, text } = start(viewOf(async () => stuck(calls)).view, 80);
    await expect.poll(text).toContain("12");
    calls = 15;
    await expect.poll(text).toContain("+3");
    end();

    expect(await done).toBe(0);
    expect(text().startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
    expect(text().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });

  it("draws again at once when the terminal changes its size", async () => {
    const { done, end, text, terminal } = start(viewOf().view, 80, { ...OPTIONS, interval: 3600 });
    await expect.poll(text).toContain("SZPBqDjC");
    const before = text().length;
    terminal.columns = 30;
    terminal.emit("resize");
    await expect.poll(() => text().length).toBeGreaterThan(before);
    end();
    await done;

    expect(text().slice(before)).toContain("fetch");
    expect(text().slice(before)).not.toContain("SZPBqDjC");
  });

  it("shows what was known, and why it is old, while the store cannot be read", async () => {
    let reads = 0;
    const read = async () => {
      if (reads++ > 0) throw new Error("connection\u001b[2J lost");
      return stuck();
    };
    const { done, end, text } = start(viewOf(read).view, 80);
    await expect.poll(text).toContain("cannot read the store: connection\\u{1b}[2J lost");
    end();
    await done;

    const last = text().slice(text().lastIndexOf("\u001b[H"));
    expect(last).toContain("1 dead end");
    expect(last).toContain("SZPBqDjC");
  });

  it("does not ask a store again that owes it an answer", async () => {
    let reads = 0;
    const read = () => {
      reads++;
      return new Promise<never>(() => {});
    };
    const { done, end, text } = start(viewOf(read).view, 80);
    await expect.poll(text).toContain("the store does not answer");
    const before = text().length;
    await expect.poll(() => text().length).toBeGreaterThan(before);
    end();
    await done;

    expect(reads).toBe(1);
  });

  it("ends when it is interrupted while the store does not answer", async () => {
    const { done, end } = start(viewOf(() => new Promise(() => {})).view, 80);
    end();

    expect(await done).toBe(0);
  });

  it("prints nothing where the store cannot be read and there is no terminal, says why, and lets go of it", async () => {
    const { view, closed } = viewOf(() => Promise.reject(new Error("NOPERM")));
    const { done, text } = start(view);

    await expect(done).rejects.toThrow(new UsageError("cannot read the store: NOPERM"));
    expect([text(), closed]).toEqual(["", ["store"]]);
  });

  it("asks for an address, and for a tenant that can be one", async () => {
    const { terminal } = newTerminal();
    const streams = { output: createOutput(terminal), terminal, signal: new AbortController().signal };

    await expect(fleetTop({ interval: 1 }, streams)).rejects.toThrow("--url, or the environment variable");
    await expect(fleetTop({ ...OPTIONS, tenant: "a{b}" }, streams)).rejects.toThrow("--tenant: 1 to 64 of");
  });
});
