import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { codex } from "./codex.ts";

describeCodingAgent(codex);
