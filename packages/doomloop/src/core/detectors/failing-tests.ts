const FAILING_TESTS =
  /\b(\d{1,6}) (?:failed|failing|failures?|errors?)\b|\bfailures=(\d{1,6})\b|\bFailed:\s{0,3}(\d{1,6})\b/gi;

/** How many tests fail according to a test runner's last words, the most that it says of suites and tests; undefined if it does not. */
export function failingTests(output: string): number | undefined {
  const counts = [...output.slice(-600).matchAll(FAILING_TESTS)].map((match) =>
    Number(match[1] ?? match[2] ?? match[3]),
  );
  return counts.length === 0 ? undefined : Math.max(...counts);
}
