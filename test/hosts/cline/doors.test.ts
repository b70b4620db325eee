import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { cline } from "./cline.ts";

describeDoors(cline);
describeHostileFolder(cline);
