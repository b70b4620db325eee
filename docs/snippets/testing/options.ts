// #region options
import { deepEqual } from "node:assert/strict";
import { it } from "node:test";
import { decisionsOf, step, times } from "doomloop/testing";

it("lets a job be asked for its state", () => {
  const events = times(10, step("check_job", { id: 7 }, "running"));

  deepEqual(decisionsOf(events, { rules: { check_job: { ignore: true } } }), []);
});
// #endregion options
