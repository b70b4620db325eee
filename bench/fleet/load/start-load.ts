import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Address, ClientName } from "../store-client.ts";
import type { LoadCounts, LoadRequest, Pages } from "./load-message.ts";

/** Fleets in several processes, so that no event loop has too many. Half of the processes use one client, half the other. */
export interface Load {
  /** Which client each process uses. */
  readonly clients: readonly ClientName[];
  /** Gives each connection its fleet, one after another within this time. */
  join(withinMs: number, pages?: Pages): Promise<void>;
  /** From now on, it is told which fleets are back. */
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
