/** What a registry knows of packages: findings, each in a line, or that it did not say. */
export type AuditAnswer = { readonly findings: readonly string[] } | { readonly silence: string };

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly message?: string;
}

/** Reads what `npm audit --json` printed. What is no report is no finding: the registry was not reached, or does not know the question. */
export function auditAnswer(output: string): AuditAnswer {
  let report: Report;
  try {
    report = JSON.parse(output) as Report;
  } catch {
    return { silence: "no answer" };
  }
  const { vulnerabilities, message = "no answer" } = report;
  if (vulnerabilities === undefined) return { silence: message.split("\n")[0]!.replace(/ https?:\/\/\S+/, "") };
  return {
    findings: Object.entries(vulnerabilities).map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}
