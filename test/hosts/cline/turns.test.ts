import type { CodingAgent } from "../shared/coding-agents/coding-agent.ts";
import { turnsContract } from "../shared/coding-agents/turns-contract.ts";
import { cline } from "./cline.ts";

/** With this option, Cline answers words without a call by a reminder, and goes on until the model calls a tool that ends the run. */
const yolo: CodingAgent = {
  ...cline,
  prepare(place) {
    const { words, ...start } = cline.prepare(place);
    return { ...start, words: ["--yolo", ...words.slice(2)] };
  },
};

const done = { tool: "submit_and_exit", args: { summary: "There is nothing left to do here.", verified: true } };

turnsContract(yolo, { canTell: false, canEnd: false, done: { calls: [done] } });
