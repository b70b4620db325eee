/** Long enough for hosts that are a process each to start. */
const MEETING_MS = 60_000;

/**
 * Where so many callers wait for each other, so often: what they do next happens at the same moment. If one does not come,
 * nobody waits any more.
 */
export function createMeeting(size: number, meetings: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  let left = meetings;
  const leave = (): void => {
    for (const go of waiting) go();
    waiting = [];
  };
  return async () => {
    if (left <= 0) return;
    const met = new Promise<void>((resolve) => void waiting.push(resolve));
    if (waiting.length === size) {
      left--;
      leave();
    }
    const timer = setTimeout(() => {
      left = 0;
      leave();
    }, MEETING_MS);
    await met;
    clearTimeout(timer);
  };
}
