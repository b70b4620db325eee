import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { openclaw } from "./openclaw.ts";

describeHostileFolder(openclaw);
