import type { CodingAgent } from "../coding-agent.ts";
import { piReader } from "./reader.ts";

export const pi: CodingAgent = {
  name: "pi",
  label: "pi",
  reader: piReader,
};
