import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { cline } from "./cline.ts";

describeCodingAgent(cline);
