import { findAt } from "../../packages/doomloop/src/scan/find-transcripts.ts";
import { readers } from "../../packages/doomloop/src/scan/readers.ts";
import { cacheFolder, openScanCache } from "../../packages/doomloop/src/scan/scan-cache.ts";
import { scanFiles } from "../../packages/doomloop/src/scan/scan-files.ts";
import { bareParse } from "./bare-parse.ts";

/** One measurement, in a process of its own: `measure.js bare|one|two|cached FOLDER`, once it is bundled. Prints seconds, calls and the most memory. */
const [, , what = "", folder = ""] = process.argv;
const { files } = await findAt(folder, readers, new AbortController().signal);
const start = performance.now();
const startCpu = process.cpuUsage();
let calls = 0;
if (what === "bare") bareParse(files.map(({ path }) => path));
else await scan(what === "two" ? 2 : 1, what === "cached");
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(startCpu);
const megabytes = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6, calls, megabytes }));

async function scan(threads: number, isCached: boolean): Promise<void> {
  const order = {
    preset: undefined,
    config: undefined,
    readerModules: [],
    format: undefined,
    hasCosts: true,
    includesContent: false,
  };
  const cache = isCached ? openScanCache(cacheFolder(process.env, process.platform), "bench", order) : undefined;
  await scanFiles(files, {
    order,
    readers,
    guardOptions: {},
    cache,
    threads,
    signal: new AbortController().signal,
    onFile: (_, { runs }) => {
      for (const run of runs) calls += run.calls;
    },
  });
}
