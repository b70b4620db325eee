import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { opencode } from "./opencode.ts";

describeDoors(opencode);
describeHostileFolder(opencode);
