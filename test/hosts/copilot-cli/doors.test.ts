import { describeDoors } from "../shared/coding-agents/door-contract.ts";
import { describeHostileFolder } from "../shared/coding-agents/hostile-folder-contract.ts";
import { copilotCli } from "./copilot-cli.ts";

describeDoors(copilotCli);
describeHostileFolder(copilotCli);
