import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { qwenCode } from "./qwen-code.ts";

describeDoors(qwenCode());
describeHostileFolder(qwenCode());
