import type { HostReport, HostRequest, ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { scripts } from "./scripts.ts";

/** What a run gave back in the end. */
type End = Omit<HostReport, "requests" | "error">;

/** Reports what came of a run: what it gave back, or what it was rejected with. */
export async function reportOf(requests: readonly HostRequest[], run: () => Promise<End>): Promise<HostReport> {
  try {
    return { requests, ...(await run()) };
  } catch (error) {
    return { requests, error };
  }
}

/** The same for a run whose model finds its answers in {@link scripts}. */
export function reportOfScript(answers: readonly ScriptedAnswer[], run: () => Promise<End>): Promise<HostReport> {
  const script = { answers, requests: [] };
  return reportOf(script.requests, () => scripts.run(script, run));
}
