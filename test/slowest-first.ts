import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Properties, where they run often; much data; a process for every run. */
const SLOW =
  /(?:properties|everyday-promises|replay-corpus|memory-ceiling|long-loop|hostile-cost|replayed-list|killed-restore|start-over|hook-client\/hook|commands\/doctor|cli\/main|claude-agent-sdk\/contract[\w-]*)\.test\.ts$/;

/**
 * Begins with the files that take longest, so that no worker is left alone with one at the end.
 *
 * A class, because the test runner asks for one.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => Number(isSlow(other)) - Number(isSlow(one)));
  }
}

function isSlow({ moduleId }: TestSpecification): boolean {
  return SLOW.test(moduleId);
}
