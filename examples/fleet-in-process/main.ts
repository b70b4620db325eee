/**
 * Four workers share one process and one dead end. None of them repeats itself often enough for its own guard to warn it;
 * together they do. Runs offline.
 */
import { createGuard, type Guard } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";

const fleet = createMemoryFleet({ calls: 8 });
const names = ["ada", "ben", "cleo", "dan"];
const guards = new Map(names.map((worker) => [worker, createGuard({ fleet: fleet.join({ worker }) })]));

/** Where the documentation used to be. */
const args = { url: "https://docs.example/v2/interface" };

for (let round = 1; round <= 3; round++) {
  console.log(`round ${round}`);
  for (const [worker, guard] of guards) work(worker, guard, round);
}

for (const { tool, calls, workerNames } of fleet.findings()) {
  console.log(`\ndead end of the swarm: ${calls} calls of ${tool} by ${workerNames.join(", ")}`);
}
fleet.clear();

/** Something useful, and then the page that is gone, unless the guard has something to say about it. */
function work(worker: string, guard: Guard, round: number): void {
  guard.observe({ type: "call", tool: "read_file", args: { path: `${worker}-${round}.md` } });
  guard.observe({ type: "result", output: `notes of ${worker}, part ${round}` });

  const { action, message } = guard.observe({ type: "call", tool: "fetch", args });
  if (action === "nudge") {
    console.log(`  ${worker} is told before its call runs:\n    ${message?.replaceAll("\n", "\n    ")}`);
    guard.observe({ type: "result", output: "not called: another way is tried", synthetic: true });
    return;
  }
  const after = guard.observe({ type: "result", output: "404 Not Found", error: true });
  console.log(`  ${worker} fetches the page: 404 (its own guard says: ${after.action})`);
}
