import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Begins with the files that take minutes where properties run often, so that no worker is left alone with one at the end.
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
  return moduleId.endsWith("properties.test.ts");
}
