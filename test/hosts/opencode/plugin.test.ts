import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { opencode } from "./opencode.ts";

describeCodingAgent(opencode);
