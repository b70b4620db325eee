/**
 * Whether something is not over in time. Where the process itself was busy for longer than that, what has come meanwhile is looked at
 * first: its own delay is not taken for somebody else's.
 */
export async function isOverdue(work: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => setImmediate(() => resolve(true)), deadlineMs);
  });
  const isLate = await Promise.race([work.then(() => false), late]);
  clearTimeout(timer);
  return isLate;
}
