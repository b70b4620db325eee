import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CLIENTS, StorePlace } from "../servers/clients.ts";
import { until } from "../servers/until.ts";

/** A page that all processes share, and how often it fails. */
export interface Page {
  readonly url: string;
  readonly fails: number;
  readonly failure?: string;
}

/** Calls that fail now and then, each in its own way. */
export const honest: readonly Page[] = Array.from({ length: 40 }, (_, at) => ({
  url: `https://api.example.com/items/${at}`,
  fails: 0.1 + (at % 5) / 10,
  failure: ["404 Not Found", "500 Internal Server Error", "410 Gone", "404: Cannot GET /items"][at % 4]!,
}));
/** A page that is gone. */
export const dead = (number: number): Page => ({ url: `https://docs.example.com/v${number}`, fails: 1 });

export type Order =
  | { readonly do: "work"; readonly pages: readonly Page[]; readonly everyMs: number }
  | { readonly do: "fetch"; readonly page: Page; readonly works: boolean }
  | { readonly do: "ask"; readonly page: Page }
  | { readonly do: "rest" };

export type Said =
  | { readonly event: "ready" | "found" }
  | { readonly event: "failed" | "told"; readonly url: string; readonly at: number; readonly failed?: boolean }
  | { readonly event: "knows"; readonly knows: boolean }
  | { readonly event: "rests"; readonly calls: number; readonly stopped: number; readonly addedMs: readonly number[] };

/** What processes have done in all: the calls, and those that were refused or stopped. */
export interface Work {
  readonly calls: number;
  readonly stopped: number;
  /** By how much the fleet slows down a call: the median and the slowest in a hundred, of the median process. */
  readonly addedMs: readonly [median: number, slow: number];
}

export interface Swarm {
  /** Who was told what, and when. */
  readonly told: readonly { readonly process: number; readonly url: string; readonly at: number }[];
  /** Dead ends that operators were told of. */
  found(): number;
  /** Each process fetches one of these pages every so often. */
  work(pages: readonly Page[], everyMs: number): void;
  rest(): Promise<Work>;
  /** Lets all processes run into one page. Resolves to the time from the tenth failure until all were told. */
  timeUntilTold(page: Page, everyMs?: number): Promise<number>;
  /** The page works once, for one process. Resolves to the time until none takes it for a dead end. */
  timeUntilCleared(page: Page): Promise<number>;
  stop(): Promise<void>;
}

const script = join(import.meta.dirname, "process.ts");

/** Starts processes with a guard for each task, all in one fleet. */
export async function startSwarm(
  count: number,
  client: (typeof CLIENTS)[number],
  place: StorePlace,
  tenant = "swarm",
): Promise<Swarm> {
  const children = Array.from({ length: count }, () => fork(script, [JSON.stringify([client, place, tenant])]));
  const told: { process: number; url: string; at: number }[] = [];
  const failed: { url: string; at: number }[] = [];
  let ready = 0;
  let found = 0;
  const hear = (said: Said, process: number): void => {
    if (said.event === "ready") ready++;
    if (said.event === "found") found++;
    if (said.event === "told") told.push({ process, url: said.url, at: said.at });
    if (said.event === "failed" || (said.event === "told" && said.failed)) failed.push(said);
  };
  for (const [at, child] of children.entries()) child.on("message", (said: Said) => hear(said, at));
  const order = (child: ChildProcess, what: Order): void => void child.send(what);
  const all = (what: Order): void => {
    for (const child of children) order(child, what);
  };
  const answersTo = <Event extends Said["event"]>(what: Order, event: Event) =>
    Promise.all(
      children.map(
        (child) =>
          new Promise<Extract<Said, { event: Event }>>((resolve) => {
            const take = (said: Said): void => {
              if (said.event !== event) return;
              child.off("message", take);
              resolve(said as Extract<Said, { event: Event }>);
            };
            child.on("message", take);
            order(child, what);
          }),
      ),
    );
  const rest = async (): Promise<Work> => {
    const works = await answersTo({ do: "rest" }, "rests");
    const sum = (of: "calls" | "stopped"): number => works.reduce((total, work) => total + work[of], 0);
    const added = (at: number): number =>
      works.map(({ addedMs }) => addedMs[at]!).toSorted((one, other) => one - other)[Math.floor(count / 2)]!;
    return { calls: sum("calls"), stopped: sum("stopped"), addedMs: [added(0), added(1)] };
  };
  await until("all processes are ready", () => ready === count);
  // Each has looked at the list.
  await wait(500);

  return {
    told,
    found: () => found,
    work: (pages, everyMs) => all({ do: "work", pages, everyMs }),
    rest,
    async timeUntilTold(page, everyMs = 500) {
      const from = Date.now();
      const toldNow = () => told.filter(({ url, at }) => url === page.url && at >= from);
      all({ do: "work", pages: [page], everyMs });
      await until("all were told", () => new Set(toldNow().map(({ process }) => process)).size === count);
      await rest();
      const tenth = failed
        .filter(({ url, at }) => url === page.url && at >= from)
        .toSorted((one, other) => one.at - other.at)[9]!;
      const last = Math.max(...children.map((_, own) => toldNow().find(({ process }) => process === own)!.at));
      return last - tenth.at;
    },
    async timeUntilCleared(page) {
      const from = Date.now();
      order(children[0]!, { do: "fetch", page, works: true });
      await until("all have forgotten", async () =>
        (await answersTo({ do: "ask", page }, "knows")).every(({ knows }) => !knows),
      );
      return Date.now() - from;
    },
    async stop() {
      const ended = children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of children) child.disconnect();
      await Promise.all(ended);
    },
  };
}
