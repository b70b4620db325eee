import { isFull } from "../campaign-size.ts";
import type { AdapterDriver } from "./adapter-driver.ts";
import { errors } from "./adapter-errors.ts";
import { ownFaults } from "./adapter-faults.ts";
import { callIds } from "./adapter-ids.ts";
import { jsonResults } from "./adapter-json.ts";
import { hostLimits } from "./adapter-limits.ts";
import { manyRuns } from "./adapter-many-runs.ts";
import { oddResults } from "./adapter-odd-results.ts";
import { aSecondOpinion } from "./adapter-opinion.ts";
import { options } from "./adapter-options.ts";
import { singleRun } from "./adapter-single-run.ts";
import { whatIsSaid } from "./adapter-text.ts";
import { underTest } from "./adapter-under-test.ts";
import { waysOut } from "./adapter-way-out.ts";

/** What every adapter must do, in its real framework, with a scripted model. */
export function adapterContract(driver: AdapterDriver): void {
  const adapter = underTest(driver);
  singleRun(adapter);
  aSecondOpinion(adapter);
  waysOut(adapter);
  if (driver.isCostly === true && !isFull) return;
  options(adapter);
  errors(adapter);
  callIds(adapter);
  hostLimits(adapter);
  whatIsSaid(adapter);
  jsonResults(adapter);
  manyRuns(adapter);
  ownFaults(adapter);
  oddResults(adapter);
}
