import { describeStartOver } from "../shared/coding-agents/start-over-contract.ts";
import { claudeCode } from "./claude-code.ts";

describeStartOver(claudeCode());
