import { type LoadResult, load } from "./load.ts";
import { type ServerProcess, startConstant, startService } from "./server-process.ts";

/**
 * What the decision service costs, against a server that reads the same requests and answers with a constant. Needs a build, and Linux.
 *
 *     npm run bench:service
 *
 * Both take turns within one run, so that whoever else is at work on the machine meets both. The client shares the machine with them, so
 * requests per second are a floor; processor time a request is what the server itself takes.
 */
const ROUNDS = 5;
const AT_ONCE = 32;
const RUNS = 10_000;
const CALLS_HELD = 50;

interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly results: LoadResult[];
  processor: number;
  requests: number;
}

/** A call with its result, of one of many runs. Results differ, so that nothing is said. */
function lap(index: number, runs: number, length: number): { readonly path: string; readonly body: Buffer } {
  const run = index % runs;
  const at = Math.floor(index / runs);
  const events = [
    { type: "call", id: `c${at}`, tool: "read_file", args: { path: `src/file-${at}.ts` }, seq: 2 * at },
    {
      type: "result",
      id: `c${at}`,
      output: `${at} ${run} ${"a line of a file, as it is\n".repeat(length / 27)}`,
      seq: 2 * at + 1,
    },
  ];
  return { path: `/v1/runs/run-${run}/events`, body: Buffer.from(JSON.stringify({ events })) };
}

const service = await startService(["--max-runs", `${RUNS * 2}`]);
const constant = await startConstant(JSON.stringify({ decisions: [{ action: "continue" }, { action: "continue" }] }));
try {
  console.log("| result of | server | requests a second | p50 | p99 | processor a request |");
  console.log("|--:|---|--:|--:|--:|--:|");
  for (const [length, count] of [
    [4_000, 4_000],
    [100_000, 800],
  ] as const) {
    await compare(length, count);
  }
  await hold();
} finally {
  await service.end();
  await constant.end();
}

async function compare(length: number, count: number): Promise<void> {
  const contestants: Contestant[] = [
    { name: "constant answer", server: constant, results: [], processor: 0, requests: 0 },
    { name: "doomloop serve", server: service, results: [], processor: 0, requests: 0 },
  ];
  let offset = 0;
  for (let round = -1; round < ROUNDS; round++) {
    for (const one of contestants) {
      const before = one.server.processorSeconds();
      const result = await load(one.server.port, count, AT_ONCE, (index) => lap(offset + index, 200, length));
      if (result.refused > 0) throw new Error(`bench: ${one.name} refused ${result.refused} requests`);
      if (round < 0) continue;
      one.results.push(result);
      one.processor += one.server.processorSeconds() - before;
      one.requests += count;
    }
    offset += count;
  }
  const [bare, ours] = contestants.map(({ name, results, processor, requests }) => {
    const best = results.toSorted((one, other) => other.perSecond - one.perSecond)[0]!;
    const each = (processor / requests) * 1e6;
    console.log(
      `| ${length / 1000} KB | ${name} | ${best.perSecond.toFixed(0)} | ${best.median.toFixed(2)} ms | ${best.p99.toFixed(2)} ms | ${each.toFixed(0)} µs |`,
    );
    return { perSecond: best.perSecond, each };
  });
  console.log(
    `| ${length / 1000} KB | ratio | ${(ours!.perSecond / bare!.perSecond).toFixed(2)} | | | ${(ours!.each / bare!.each).toFixed(2)} |`,
  );
}

/** How much memory runs take that are held. */
async function hold(): Promise<void> {
  const before = service.memory();
  await load(service.port, RUNS, AT_ONCE, (index) => {
    const events = Array.from({ length: CALLS_HELD }, (_, at) => at).flatMap((at) => [
      { type: "call", id: `c${at}`, tool: "read_file", args: { path: `src/file-${at}.ts` } },
      { type: "result", id: `c${at}`, output: `the text of file ${at} in run ${index}` },
    ]);
    return { path: `/v1/runs/held-${index}/events`, body: Buffer.from(JSON.stringify({ events })) };
  });
  const after = service.memory();
  console.log(
    `\n${RUNS} runs of ${CALLS_HELD} calls held: ${(after - before).toFixed(0)} MB more, ${(((after - before) * 1024) / RUNS).toFixed(1)} KB a run.`,
  );
}
