import { describe, expect, it } from "vitest";
import { auditAnswer } from "../../scripts/audit.ts";

describe("an answer about vulnerabilities", () => {
  it("is empty if nothing is known", () => {
    expect(auditAnswer('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({ findings: [] });
  });

  it("has a line for each finding", () => {
    const report = { vulnerabilities: { preact: { severity: "high", range: "11.0.0 - 11.2.0" } } };

    expect(auditAnswer(JSON.stringify(report))).toEqual({ findings: ["preact 11.0.0 - 11.2.0: high"] });
  });

  it.each([
    [
      "a service that the registry lacks",
      '{"message":"405 Method Not Allowed - POST https://example.com/x","statusCode":405}',
      "405 Method Not Allowed - POST",
    ],
    ["a network that is down", "", "no answer"],
    ["anything else", "{}", "no answer"],
  ])("is silence for %s, and no finding", (_title, output, silence) => {
    expect(auditAnswer(output)).toEqual({ silence });
  });
});
