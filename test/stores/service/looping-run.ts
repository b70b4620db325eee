import { Agent, request } from "node:http";
import type { Decision } from "../../../packages/doomloop/src/core/decision.ts";
import { TOKEN } from "./replica.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** A run that reads the same file for ever, every five seconds on its own clock. */
export interface LoopingRun {
  readonly name: string;
  /** How many calls it made until it was stopped; undefined while it goes on. */
  readonly stoppedAt: number | undefined;
  /** Events that were sent, once or more often. */
  readonly sent: number;
  /** Makes one more call. A request that fails is sent again, as a client would. */
  lap(): Promise<void>;
}

export function loopingRun(name: string, port: number): LoopingRun {
  let calls = 0;
  let seq = 0;
  let stoppedAt: number | undefined;
  const send = async (event: object): Promise<Decision | undefined> => {
    const events = [{ ...event, seq: ++seq }];
    for (;;) {
      const text = await post(port, `/v1/runs/${name}/events`, JSON.stringify({ events }));
      if (text !== undefined) return (JSON.parse(text) as { decisions: Decision[] }).decisions[0];
    }
  };
  return {
    name,
    get stoppedAt() {
      return stoppedAt;
    },
    get sent() {
      return seq;
    },
    async lap() {
      if (stoppedAt !== undefined) return;
      const id = `c${++calls}`;
      const at = calls * 5_000;
      const decision = await send({ type: "call", id, tool: "read_file", args: { path: "notes.md" }, at });
      if (decision?.action === "stop") {
        stoppedAt = calls;
        return;
      }
      const isBlocked = decision?.action === "block";
      const output = isBlocked ? decision.message : "the same text as before";
      await send({ type: "result", id, output, at: at + 100, ...(isBlocked && { synthetic: true }) });
    },
  };
}

/** Resolves to the body of an answer; undefined if there was none, or a refusal. */
function post(port: number, path: string, body: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-length": Buffer.byteLength(body) };
    const sent = request({ agent, port, host: "127.0.0.1", method: "POST", path, headers }, (response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () => resolve(response.statusCode === 200 ? text : undefined));
      response.on("error", () => resolve(undefined));
    });
    sent.on("error", () => resolve(undefined));
    sent.end(body);
  });
}
