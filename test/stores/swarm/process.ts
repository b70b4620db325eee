/** One process of a swarm. Its agents fetch pages that all processes share, as the process that started it tells. */
import { randomUUID } from "node:crypto";
import { createRedisFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { createGuard, type Decision, type Guard } from "../../../packages/doomloop/src/index.ts";
import { openClient, type StorePlace } from "../servers/clients.ts";
import type { Order, Page, Said } from "./swarm.ts";

const [client, place, tenant] = JSON.parse(process.argv[2]!) as ["ioredis", StorePlace, string];
const fleet = createRedisFleet({
  ...{ client: openClient(client, place).client, key: "the key of all processes", tenant },
  onFinding: () => say({ event: "found" }),
  onFault() {},
});

const say = (said: Said): void => void process.send?.(said);
const newGuard = (): Guard => createGuard({ fleet: fleet.join({ worker: "agent", run: randomUUID() }) });
const callOf = ({ url }: Page) => ({ type: "call", tool: "fetch", args: { url } }) as const;

let stopped = 0;
let times: { readonly withFleet: number[]; readonly alone: number[] } = { withFleet: [], alone: [] };
let timer: NodeJS.Timeout | undefined;

/** An agent with one task: it fetches a page. Another one does the same without a fleet, to compare. */
function fetchOnce(page: Page, works = Math.random() >= page.fails): void {
  const output = works ? `page ${randomUUID()}` : (page.failure ?? "404 Not Found");
  const fetchWith = (guard: Guard, taken: number[]): Decision => {
    const start = performance.now();
    const decision = guard.observe(callOf(page));
    guard.observe({ type: "result", output, ...(!works && { error: true }) });
    taken.push(performance.now() - start);
    return decision;
  };
  fetchWith(createGuard(), times.alone);
  const { action, finding } = fetchWith(newGuard(), times.withFleet);
  if (action === "stop" || action === "block") stopped++;
  if (finding?.kind === "fleet") say({ event: "told", url: page.url, at: Date.now(), failed: !works });
  else if (!works) say({ event: "failed", url: page.url, at: Date.now() });
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(part * values.length)] ?? 0;

process.on("message", (order: Order) => {
  if (order.do === "work") {
    clearInterval(timer);
    times = { withFleet: [], alone: [] };
    const { pages } = order;
    timer = setInterval(
      () => fetchOnce(pages[Math.floor(Math.random() * pages.length)]!),
      order.everyMs * (0.8 + 0.4 * Math.random()),
    );
  }
  if (order.do === "fetch") fetchOnce(order.page, order.works);
  if (order.do === "ask") say({ event: "knows", knows: newGuard().peek(callOf(order.page)).finding?.kind === "fleet" });
  if (order.do === "rest") {
    clearInterval(timer);
    const added = (part: number): number => quantile(times.withFleet, part) - quantile(times.alone, part);
    say({ event: "rests", calls: times.withFleet.length, stopped, addedMs: [added(0.5), added(0.99)] });
  }
});
process.on("disconnect", () => process.exit());
for (let warm = 0; warm < 50; warm++) newGuard().observe(callOf({ url: `https://warm.example/${warm}`, fails: 0 }));
say({ event: "ready" });
