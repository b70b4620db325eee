import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { claudeCode } from "./claude-code.ts";

describeDoors(claudeCode());
describeHostileFolder(claudeCode());
