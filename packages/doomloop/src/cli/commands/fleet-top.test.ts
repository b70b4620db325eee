import { PassThrough } from "node:stream";
import { createMemoryFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { fingerprint, reports, tell } from "../../../../../test/contracts/fleet.ts";
import { type FleetView, viewFleet } from "../fleet/fleet-view.ts";
import { createOutput } from "../terminal/output.ts";
import { UsageError } from "../usage-error.ts";
import { type FleetTopOptions, fleetTop } from "./fleet-top.ts";

const OPTIONS: FleetTopOptions = { url: "redis://store", interval: 0.2 };

function stuckFleet() {
  const fleet = createMemoryFleet();
  tell(fleet.join({ worker: "ada" }), ...reports(6));
  tell(fleet.join({ worker: "ben" }), ...reports(6, 0, { fingerprint: fingerprint(0) }));
  return fleet;
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
    const closed: string[] = [];
    const fleet = { ...stuckFleet(), close: () => Promise.resolve(closed.push("fleet")) };
    const { done, text } = start(viewFleet(fleet, () => void closed.push("client")));

    expect(await done).toBe(0);
    expect(text().split("\n")).toEqual([
      "1 dead end in 5 min, 2 workers stuck",
      "",
      "tool   calls  workers  who       call",
      "fetch     12        2  ada, ben  34003400",
      "",
    ]);
    expect(closed).toEqual(["fleet", "client"]);
  });

  it("draws again and again on a terminal, and gives it back when it is interrupted", async () => {
    const fleet = stuckFleet();
    const { done, end, text } = start(viewFleet(fleet), 80);
    await expect.poll(text).toContain("12");
    tell(fleet.join({ worker: "cleo" }), ...reports(3, 0));
    await expect.poll(text).toContain("+3");
    end();

    expect(await done).toBe(0);
    expect(text().startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
    expect(text().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });

  it("draws again at once when the terminal changes its size", async () => {
    const { done, end, text, terminal } = start(viewFleet(stuckFleet()), 80, { ...OPTIONS, interval: 3600 });
    await expect.poll(text).toContain("ada, ben");
    const before = text().length;
    terminal.columns = 30;
    terminal.emit("resize");
    await expect.poll(() => text().length).toBeGreaterThan(before);
    end();
    await done;

    expect(text().slice(before)).toContain("fetch");
    expect(text().slice(before)).not.toContain("ada, ben");
  });

  it("shows what is known, and why it is old, while the store is away", async () => {
    const refresh = () => Promise.reject(new Error("connection\u001b[2J lost"));
    const { done, text } = start({ ...viewFleet(stuckFleet()), refresh, state: () => "degraded" });
    await done;

    expect(text()).toContain("12");
    expect(text()).toContain("| degraded | cannot read the store: connection\\u{1b}[2J lost");
  });

  it("ends when it is interrupted while the store does not answer", async () => {
    const { done, end } = start({ ...viewFleet(stuckFleet()), refresh: () => new Promise(() => {}) }, 80);
    end();

    expect(await done).toBe(0);
  });

  it("lets go of a client although its fleet cannot be closed", async () => {
    const closed: string[] = [];
    const fleet = { ...stuckFleet(), close: () => Promise.reject(new Error("gone")) };
    await start(viewFleet(fleet, () => void closed.push("client"))).done;

    expect(closed).toEqual(["client"]);
  });

  it("gives the terminal back when a fleet breaks", async () => {
    const findings = (): never => {
      throw new Error("broken");
    };
    const { done, text } = start({ ...viewFleet(stuckFleet()), findings }, 80);

    await expect(done).rejects.toThrow("broken");
    expect(text().endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });

  it("asks for an address", async () => {
    const { done } = start(viewFleet(stuckFleet()), undefined, { interval: 1 });

    await expect(done).rejects.toThrow(UsageError);
  });
});
