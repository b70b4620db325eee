import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Address, ClientName } from "../bench-fleet.ts";

/** Fleets in several processes, so that no event loop has too many of them. Half of the processes use each client. */
export interface Load {
  /** The client that each process uses. */
  readonly clients: readonly ClientName[];
  /** Creates a fleet for each connection, one after another within this time. */
  join(withinMs: number, pages?: Pages): Promise<void>;
  /** Starts to track which fleets are back. */
  mark(): Promise<void>;
  count(): Promise<readonly LoadCounts[]>;
  end(): void;
}

const PROCESSES: readonly ClientName[] = ["ioredis", "node-redis", "ioredis", "node-redis"];

export async function startLoad(address: Address, connections: number): Promise<Load> {
  const count = Math.ceil(connections / PROCESSES.length);
  const children = PROCESSES.map(() => fork(join(import.meta.dirname, "load-process.ts")));
  const askAll = (request: (at: number) => LoadRequest) =>
    Promise.all(children.map((child, at) => ask(child, request(at))));

  await askAll((at) => ({ kind: "open", client: PROCESSES[at]!, address, count }));
  return {
    clients: PROCESSES,
    async join(withinMs, pages = { oneOf: 0, isShared: false }) {
      await askAll((at) => ({ kind: "join", first: at * count, withinMs, pages }));
    },
    async mark() {
      await askAll(() => ({ kind: "mark" }));
    },
    count: () => askAll(() => ({ kind: "count" })),
    end() {
      for (const child of children) child.kill("SIGKILL");
    },
  };
}

export function sumOf(counts: readonly LoadCounts[], of: keyof LoadCounts): number {
  return counts.reduce((sum, each) => sum + each[of], 0);
}

async function ask(child: ChildProcess, request: LoadRequest): Promise<LoadCounts> {
  const answered = once(child, "message");
  child.send(request);
  const [counts] = await Promise.race([answered, ended(child)]);
  return counts as LoadCounts;
}

async function ended(child: ChildProcess): Promise<never> {
  await once(child, "exit");
  throw new Error("bench: a process of the load has ended");
}

/** A request to a process of the load. It answers each with its counts when it is done. */
export type LoadRequest =
  /** Opens connections. */
  | { readonly kind: "open"; readonly client: ClientName; readonly address: Address; readonly count: number }
  /** Creates a fleet for each connection, one after another within this time. Each makes a call every two seconds. */
  | { readonly kind: "join"; readonly first: number; readonly withinMs: number; readonly pages: Pages }
  /** Records the state of each fleet, to tell later which are back. */
  | { readonly kind: "mark" }
  | { readonly kind: "count" };

/** Which of the fleets loop, by their number, and on which page. */
export interface Pages {
  /** One fleet out of this many loops; none if it is 0. */
  readonly oneOf: number;
  /** Whether all loop on one page, or each on its own. */
  readonly isShared: boolean;
}

/** The state of the fleets of one process. */
export interface LoadCounts {
  readonly fleets: number;
  readonly connected: number;
  readonly away: number;
  /** Fleets that have been away since the mark. */
  readonly wereAway: number;
  /** Fleets that are connected, have had an answer in time since the mark, and have nothing waiting. */
  readonly back: number;
  /** When the last of them was back, in milliseconds since 1970. */
  readonly lastBackAt: number;
  readonly reported: number;
  readonly delivered: number;
  readonly lost: number;
  readonly timeouts: number;
  readonly knowing: number;
  /** The longest delay of this process's timers, which the load itself causes. */
  readonly maxDelayMs: number;
  readonly ownMs: number;
}
