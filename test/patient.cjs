/**
 * Loaded before a hook with `node --require`: a second of the hook's clock is a minute of the machine's. A hook that has not ended
 * within a second ends without a word, so a test of what it says would depend on how busy the machine is. The command line keeps its
 * clock: doctor measures hooks with it.
 */
const SLOWER = 60;
const { setTimeout: wait, performance: clock } = globalThis;
const now = clock.now.bind(clock);

if (!/[\\/]cli[\\/]main\.[jt]s$/.test(process.argv[1] ?? "")) {
  globalThis.setTimeout = (work, ms, ...values) => wait(work, ms * SLOWER, ...values);
  clock.now = () => now() / SLOWER;
}
