import { setTimeout as wait } from "node:timers/promises";

/**
 * Asks until the answer is yes. Throws after the time limit, which is long enough for any machine. An error counts as
 * no.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  { withinMs = 120_000, everyMs = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await Promise.resolve(holds()).catch(() => false)) return;
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await wait(everyMs);
  }
}
