import { writeFileSync } from "node:fs";
import { step, times } from "doomloop/testing";

const test = { command: "npm test" };
const edit = { command: "sed -i s/total/sum/ cart.ts" };

const runs = [
  { run: "stuck", events: times(14, step("bash", test, "1 failed: cart.test.ts", { error: true })) },
  {
    run: "honest",
    events: [...step("bash", test, "1 failed"), ...step("bash", edit, ""), ...step("bash", test, "ok")],
  },
  { run: "waiting", events: times(9, step("check_job", { id: 7 }, "job 7: no worker has taken it")) },
];
writeFileSync("runs.jsonl", runs.map((run) => `${JSON.stringify(run)}\n`).join(""));
