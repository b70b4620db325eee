import type { CodingAgent } from "../coding-agent.ts";
import { openhandsReader } from "./reader.ts";

export const openhands: CodingAgent = {
  name: "openhands",
  label: "OpenHands",
  reader: openhandsReader,
};
