import { setTimeout as sleep } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { FleetAddress } from "../fleet/open-fleet.ts";
import type { ClientName } from "../fleet/redis-client.ts";
import { createFleetTable, type FleetMoment } from "../reporters/fleet-table.ts";
import type { Output } from "../terminal/output.ts";
import { cutToWidth } from "../terminal/printable.ts";
import { createScreen } from "../terminal/screen.ts";
import { UsageError } from "../usage-error.ts";

export interface FleetTopOptions {
  readonly url?: string;
  readonly tenant?: string;
  readonly keyFile?: string;
  readonly client?: ClientName;
  /** Seconds between two looks. */
  readonly interval: number;
}

/** What the command may touch of the process. */
export interface FleetTopStreams {
  readonly output: Output;
  readonly terminal: Pick<WriteStream, "isTTY" | "columns" | "rows" | "write" | "on" | "off">;
  readonly open: (address: FleetAddress) => Promise<FleetView>;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
}

/** A store that does not answer is not waited for: what is known is shown. */
const PATIENCE_MS = 3000;
const FOOTER_LINES = 2;

/** Shows who is stuck on what: live on a terminal until it is interrupted, once anywhere else. Returns the exit code. */
export async function fleetTop(options: FleetTopOptions, streams: FleetTopStreams): Promise<number> {
  const { url, tenant, keyFile, client, interval } = options;
  if (url === undefined) throw new UsageError("--url, or the environment variable DOOMLOOP_FLEET_URL, is required");
  const view = await streams.open({ url, tenant, keyFile, client });
  try {
    if (streams.terminal.isTTY) await live(view, interval, streams);
    else await once(view, streams);
  } finally {
    await view.close();
  }
  return 0;
}

async function once(view: FleetView, { output, signal }: FleetTopStreams): Promise<void> {
  const table = createFleetTable();
  table.take(await look(view, signal));
  await output.write(`${table.lines().join("\n")}\n`);
}

async function live(view: FleetView, intervalSeconds: number, { terminal, signal }: FleetTopStreams): Promise<void> {
  const table = createFleetTable();
  const screen = createScreen(terminal);
  // Decides by NO_COLOR, FORCE_COLOR and what the terminal can do.
  const emphasise = (text: string): string => styleText("bold", text, { stream: terminal as WriteStream });
  const footer = `Every ${intervalSeconds} s. Ctrl-C ends.`;

  const draw = (): void => {
    const { columns: width = 80, rows = 24 } = terminal;
    const lines = table.lines({ width, height: rows - FOOTER_LINES, showChange: true, emphasise });
    screen.show([...lines, "", cutToWidth(footer, width)].slice(0, Math.max(1, rows)));
  };

  terminal.on("resize", draw);
  try {
    while (!signal.aborted) {
      table.take(await look(view, signal));
      draw();
      await pause(intervalSeconds * 1000, signal);
    }
  } finally {
    terminal.off("resize", draw);
    screen.close();
  }
}

async function look(view: FleetView, signal: AbortSignal): Promise<FleetMoment> {
  const fault = await refreshed(view, signal);
  return { findings: view.findings(), state: view.state(), fault };
}

/** Why the view could not be brought up to date; undefined if it is. */
async function refreshed(view: FleetView, signal: AbortSignal): Promise<string | undefined> {
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const late = pause(PATIENCE_MS, either).then(() => "the store does not answer");
  const asked = Promise.resolve()
    .then(() => view.refresh())
    .then(
      () => undefined,
      (fault: unknown) => `cannot read the store: ${fault instanceof Error ? fault.message : String(fault)}`,
    );
  try {
    return await Promise.race([asked, late]);
  } finally {
    own.abort();
  }
}

/** Waits, unless it is called off. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(durationMs, undefined, { signal });
  } catch {
    // Called off.
  }
}
