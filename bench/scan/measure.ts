import type { FoundFile } from "../../packages/doomloop/src/cli/scan/find-transcripts.ts";
import { bareParse } from "./bare-parse.ts";

/** The package as people run it: stripping types in every thread is not what is measured. Needs a build. */
const built = new URL("../../packages/doomloop/dist/", import.meta.url);
const load = async <Module>(path: string): Promise<Module> => (await import(new URL(path, built).href)) as Module;
const { findAt } =
  await load<typeof import("../../packages/doomloop/src/cli/scan/find-transcripts.ts")>("cli/scan/find-transcripts.js");
const { cacheFolder, openScanCache } =
  await load<typeof import("../../packages/doomloop/src/cli/scan/scan-cache.ts")>("cli/scan/scan-cache.js");
const { scanFiles } =
  await load<typeof import("../../packages/doomloop/src/cli/scan/scan-files.ts")>("cli/scan/scan-files.js");
const { readers } =
  await load<typeof import("../../packages/doomloop/src/transcripts/readers.ts")>("transcripts/readers.js");

/** One measurement, in a process of its own: `measure.ts bare|one|two|cached FOLDER`. Prints seconds, calls and the most memory. */
const [, , what = "", folder = ""] = process.argv;
const files: readonly FoundFile[] = findAt(folder, readers);
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
