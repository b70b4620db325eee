import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { codex } from "./codex.ts";

describeDoors(codex);
describeHostileFolder(codex);
