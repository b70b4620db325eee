import { deerFlow } from "./deer-flow.ts";
import { founding000 } from "./founding-000.ts";
import { founding001 } from "./founding-001.ts";
import { founding002 } from "./founding-002.ts";
import { founding003 } from "./founding-003.ts";
import { founding004 } from "./founding-004.ts";
import { geminiCli } from "./gemini-cli.ts";
import { hermes } from "./hermes.ts";
import { opencode } from "./opencode.ts";
import { openHands } from "./openhands.ts";
import type { Rule } from "./recorded-step.ts";
import { senpi } from "./senpi.ts";
import { stella } from "./stella.ts";

/** Published rules, restated from their documented thresholds. Each is taken to speak at every call where it holds. */
export const rules: Readonly<Record<string, Rule>> = {
  "founding document 000: a call, two or three in turn, twice": founding000,
  "founding document 001: 3 equal in a row, 4 by fingerprint": founding001,
  "founding document 002: 3 equal in 20": founding002,
  "founding document 003: 3 equal in 10, cycles of 2 to 5 twice": founding003,
  "founding document 004: 5 equal in 20 with their result": founding004,
  "deer-flow: 3 equal answers in 20": deerFlow,
  "gemini-cli: cycles of 1 to 5, 5 times": geminiCli,
  "opencode: 3 equal in a row": opencode,
  "OpenHands: 4 equal with their result, 3 with an error, ABABAB": openHands,
  "stella: 3 equal with their result, cycles, stagnation": stella,
  "hermes: failures and results": hermes,
  "senpi: equal, cycles, similar arguments": senpi,
};
