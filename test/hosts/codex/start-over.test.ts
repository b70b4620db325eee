import { describeStartOver } from "../shared/coding-agents/start-over-contract.ts";
import { codex } from "./codex.ts";

describeStartOver(codex);
