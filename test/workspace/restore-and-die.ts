import { createTimeline } from "../../packages/doomloop/src/workspace/timeline.ts";
import { checkOptions } from "../../packages/doomloop/src/workspace/workspace-options.ts";

/**
 * Restores a checkpoint, or completes an interrupted restore, and kills itself at a step. Prints the number of steps
 * if it reaches the end.
 *
 * `restore-and-die.ts <root> <state> <step> [<checkpoint>]`
 */
const [root = "", stateDirectory = "", last = "", checkpoint] = process.argv.slice(2);
let steps = 0;
const timeline = createTimeline({
  ...checkOptions({ root, stateDirectory }),
  onStep() {
    if (++steps === Number(last)) process.kill(process.pid, "SIGKILL");
  },
});
if (checkpoint === undefined) await timeline.checkpoint("after");
else await timeline.restore(checkpoint);
process.stdout.write(String(steps));
