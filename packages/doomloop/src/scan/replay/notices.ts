import { printable } from "../../system/printable.ts";
import { count } from "../report/words.ts";

/** What may be wrong with the input, and how it is told. */
const PROBLEMS = {
  malformed: "line without a run, skipped",
  "too-long": "line over 256 MB, skipped",
  events: "event without a type, skipped",
  options: "run with invalid options, judged without them",
  fault: "run with a fault inside the guard",
} as const;

type Problem = keyof typeof PROBLEMS;

/** Collects problems with the input, to report them once at the end. */
export interface Notices {
  note(problem: Problem, place: string, times?: number): void;
  readonly hasFault: boolean;
  /** One line for each kind of problem, with its first place. */
  lines(): readonly string[];
}

const MAX_NAME = 120;

export function createNotices(): Notices {
  const found = new Map<Problem, { readonly times: number; readonly first: string }>();
  return {
    note(problem, place, times = 1) {
      const { times: before = 0, first = place } = found.get(problem) ?? {};
      if (times > 0) found.set(problem, { times: before + times, first });
    },
    get hasFault() {
      return found.has("fault");
    },
    lines: () =>
      (Object.keys(PROBLEMS) as Problem[]).flatMap((problem) => {
        const { times, first } = found.get(problem) ?? { times: 0, first: "" };
        const place = printable(first.slice(0, MAX_NAME));
        return times === 0 ? [] : [`${count(times, PROBLEMS[problem])} (${times === 1 ? "" : "first: "}${place})`];
      }),
  };
}
