import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { geminiCli } from "./gemini-cli.ts";

describeDoors(geminiCli);
describeHostileFolder(geminiCli);
