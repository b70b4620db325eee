import { existsSync, readFileSync } from "node:fs";

/**
 * Prints how many tests passed and failed, from the runner's JSON report.
 *
 * A run that ends badly without a failed test (a file that does not load, an error outside of tests) counts as one failure.
 */
const [report = "", status = "0"] = process.argv.slice(2);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
}

const { numPassedTests, numFailedTests }: Report = existsSync(report)
  ? JSON.parse(readFileSync(report, "utf8"))
  : { numPassedTests: 0, numFailedTests: 1 };
const isBroken = status !== "0" && numFailedTests === 0;
console.log(`${numPassedTests} ${isBroken ? 1 : numFailedTests}`);
