/**
 * Whether something is not over in time, or until nobody waits for it any more. Where the process itself was busy for longer than that,
 * what has come meanwhile is looked at first: its own delay is not taken for somebody else's.
 */
export async function isOverdue(work: Promise<unknown>, deadlineMs: number, ended?: AbortSignal): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp = (): void => {};
  const late = new Promise<boolean>((resolve) => {
    giveUp = () => resolve(true);
    timer = setTimeout(() => setImmediate(giveUp), deadlineMs);
    ended?.addEventListener("abort", giveUp, { once: true });
  });
  const isLate = await Promise.race([work.then(() => false), late]);
  clearTimeout(timer);
  ended?.removeEventListener("abort", giveUp);
  return isLate;
}
