import { appendFileSync, existsSync, readFileSync } from "node:fs";

/**
 * Prints how many tests passed and failed, from the runner's JSON report, and notes in a file which failed, and which passed only at a
 * second try: `summarise-tests.ts REPORT STATUS FAILURES`
 *
 * A run that ends badly without a failed test (a file that does not load, an error outside of tests) counts as one failure.
 */
const [report = "", status = "0", failures = ""] = process.argv.slice(2);

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

const { numPassedTests, numFailedTests, testResults }: Report = existsSync(report)
  ? JSON.parse(readFileSync(report, "utf8"))
  : { numPassedTests: 0, numFailedTests: 1, testResults: [] };
const isBroken = status !== "0" && numFailedTests === 0;
for (const { name, message, assertionResults, ...file } of testResults) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { fullName, failureMessages } of failed) note(name, fullName, failureMessages[0] ?? "");
  for (const test of assertionResults.filter(
    ({ status, failureMessages }) => status === "passed" && failureMessages.length > 0,
  )) {
    note(name, `${test.fullName} (passed at the second try)`, test.failureMessages[0] ?? "");
  }
  if (file.status === "failed" && failed.length === 0) note(name, "does not load", message);
}
console.log(`${numPassedTests} ${isBroken ? 1 : numFailedTests}`);

function note(file: string, title: string, message: string): void {
  appendFileSync(
    failures,
    `${file.replace(`${process.cwd()}/`, "")}: ${title}\n    ${message.split("\n", 4).join("\n    ").slice(0, 600)}\n`,
  );
}
