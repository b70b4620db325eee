import { setTimeout as sleep } from "node:timers/promises";
import type { WriteStream } from "node:tty";
import { styleText } from "node:util";
import { type FleetAddress, openStore } from "../../fleet/inspect/open-store.ts";
import { type FleetReading, readFleet } from "../../fleet/inspect/read-fleet.ts";
import { cutToWidth } from "../../system/printable.ts";
import { UsageError } from "../../system/usage-error.ts";
import { createFleetTable } from "../reporters/fleet-lines.ts";
import type { Output } from "../terminal/output.ts";

export interface FleetTopOptions extends FleetAddress {
  /** Seconds between two updates. */
  readonly interval: number;
  /** Prints the state once, as JSON. */
  readonly json?: boolean;
}

/** A connection to a fleet's store. */
export interface FleetView {
  /** Rejects if the store cannot be read. */
  read(): Promise<FleetReading>;
  close(): void;
}

/** The streams of the process that the command uses. */
export interface FleetTopStreams {
  readonly output: Output;
  readonly terminal: Pick<WriteStream, "isTTY" | "columns" | "rows" | "write" | "on" | "off">;
  /** @default reads the store at the address */
  readonly open?: (address: FleetAddress) => Promise<FleetView>;
  /** Aborts when the user ends the command. */
  readonly signal: AbortSignal;
}

/** After this time without an answer, the last known state is shown. */
const PATIENCE_MS = 3000;
const FOOTER_LINES = 2;

/**
 * Shows the dead ends of a fleet: live on a terminal until it is interrupted, otherwise once. Returns the exit code.
 */
export async function fleetTop(options: FleetTopOptions, streams: FleetTopStreams): Promise<number> {
  const { interval, json = false, ...address } = options;
  const { open = openView } = streams;
  const view = await open(address);
  try {
    if (streams.terminal.isTTY && !json) await live(view, interval, streams);
    else await once(view, streams, json ? (reading) => JSON.stringify(reading) : linesOf);
  } finally {
    view.close();
  }
  return 0;
}

async function openView(address: FleetAddress): Promise<FleetView> {
  const store = await openStore(address);
  return { read: () => readFleet(store), close: store.close };
}

async function once(
  view: FleetView,
  { output, signal }: FleetTopStreams,
  format: (reading: FleetReading | undefined) => string,
): Promise<void> {
  const { reading, fault } = await createLook(view, signal)();
  if (signal.aborted) return;
  if (fault !== undefined) throw new UsageError(fault);
  await output.write(`${format(reading)}\n`);
}

function linesOf(reading: FleetReading | undefined): string {
  const table = createFleetTable();
  table.take({ reading });
  return table.lines().join("\n");
}

async function live(view: FleetView, intervalSeconds: number, { terminal, signal }: FleetTopStreams): Promise<void> {
  const table = createFleetTable();
  const look = createLook(view, signal);
  const screen = createScreen(terminal);
  // `styleText` respects NO_COLOR, FORCE_COLOR and the terminal's abilities.
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
      table.take(await look());
      draw();
      await pause(intervalSeconds * 1000, signal);
    }
  } finally {
    terminal.off("resize", draw);
    screen.close();
  }
}

interface Look {
  /** The latest reading. */
  readonly reading: FleetReading | undefined;
  /** Why the reading is out of date. */
  readonly fault: string | undefined;
}

/** Creates a function that reads the store. While an answer is overdue, it does not ask again. */
function createLook(view: FleetView, signal: AbortSignal): () => Promise<Look> {
  let reading: FleetReading | undefined;
  let asked: Promise<string | undefined> | undefined;

  const ask = async (): Promise<string | undefined> => {
    try {
      reading = await Promise.resolve().then(view.read);
      return undefined;
    } catch (fault) {
      return `cannot read the store: ${(fault as Error).message}`;
    } finally {
      asked = undefined;
    }
  };

  return async () => {
    const own = new AbortController();
    const late = pause(PATIENCE_MS, AbortSignal.any([signal, own.signal])).then(() => "the store does not answer");
    asked ??= ask();
    try {
      const fault = await Promise.race([asked, late]);
      return { reading, fault };
    } finally {
      own.abort();
    }
  };
}

/** Waits until the time is over or the signal aborts. */
async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(durationMs, undefined, { signal });
  } catch {
    // Aborted.
  }
}

/** The terminal in full-screen mode. */
interface Screen {
  /** Replaces the shown lines. They must be printable and fit. */
  show(lines: readonly string[]): void;
  close(): void;
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const HOME = "\u001b[H";
const ERASE_TO_END_OF_LINE = "\u001b[K";
const ERASE_BELOW = "\u001b[J";

/** Switches the terminal to full-screen mode. Closing it restores the previous content. */
function createScreen(stream: Pick<WriteStream, "write">): Screen {
  let isOpen = true;
  stream.write(ENTER);
  return {
    show(lines) {
      if (!isOpen) return;
      // Overwrites the lines without erasing first, which would flicker.
      const drawn = lines.map((line) => `${line}${ERASE_TO_END_OF_LINE}`).join("\r\n");
      stream.write(`${HOME}${drawn}${ERASE_BELOW}`);
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      stream.write(LEAVE);
    },
  };
}
