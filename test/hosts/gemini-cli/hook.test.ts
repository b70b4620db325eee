import { describeCodingAgent } from "../shared/coding-agents/coding-agent-contract.ts";
import { geminiCli } from "./gemini-cli.ts";

describeCodingAgent(geminiCli);
