import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { openclaw } from "./openclaw.ts";

describeCodingAgent(openclaw);
