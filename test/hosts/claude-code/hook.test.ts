import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { claudeCode } from "./claude-code.ts";

describeCodingAgent(claudeCode());
