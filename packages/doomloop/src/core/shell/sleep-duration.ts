const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_MS = 86_400_000;
const DURATION = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})([smhd]?)$/;

/** Milliseconds that the arguments of `sleep` ask for, at most a day; 0 where they are no durations. */
export function sleepDurationMs(words: readonly string[], from: number): number {
  let totalMs = 0;
  for (let index = from; index < words.length; index++) {
    const word = words[index]!;
    if (word === "infinity" || word === "inf") return LONGEST_MS;
    const match = DURATION.exec(word);
    if (match === null) continue;
    totalMs += Math.round(Number(match[1]) * UNIT_MS[match[2] || "s"]!);
  }
  return Math.min(totalMs, LONGEST_MS);
}
