import { createGuard } from "doomloop";
import { round, step, times } from "doomloop/testing";
import { german } from "./german.ts";
import { japanese } from "./japanese.ts";

const stuck = times(3, [round, ...step("read_file", { path: "src/app.ts" }, "start();")]);

for (const messages of [undefined, german, japanese]) {
  const guard = createGuard(messages === undefined ? {} : { messages });
  const said = stuck.map((event) => guard.observe(event)).find(({ action }) => action === "nudge");
  console.log(`${said?.message}\n`);
}
