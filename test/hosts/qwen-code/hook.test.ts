import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { qwenCode } from "./qwen-code.ts";

describeCodingAgent(qwenCode());
