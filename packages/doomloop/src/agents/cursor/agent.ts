import { CANNOT, type CodingAgent } from "../coding-agent.ts";
import { cursorDoctor } from "./doctor.ts";
import { cursorHook } from "./hook.ts";

/** Its own plugin has the hook. `init` does not add it, because nobody has run it. */
export const cursor: CodingAgent = {
  name: "cursor",
  label: "Cursor",
  hook: cursorHook,
  doctor: cursorDoctor,
  cannot: [CANNOT.end, CANNOT.knowAttendance],
};
