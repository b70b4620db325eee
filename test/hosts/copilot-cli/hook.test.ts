import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { copilotCli } from "./copilot-cli.ts";

describeCodingAgent(copilotCli);
