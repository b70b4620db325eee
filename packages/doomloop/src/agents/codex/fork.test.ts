import { afterAll, expect, it } from "vitest";
import { createCliSandbox } from "../../../../../test/cli-sandbox.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

const START = Date.UTC(2026, 10, 15, 9);
const timestamp = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** What a rollout has of a question and the calls that it led to. Older ones have sums instead of reports of answers. */
function turn(from: number, calls: number): readonly object[] {
  const said = { type: "message", role: "user", content: [{ type: "input_text", text: `Where is ${from}?` }] };
  const each = Array.from({ length: calls }, (_, at) => {
    const number = from + at;
    const usage = (times: number) => ({
      input_tokens: times * 1_000,
      output_tokens: times * 10,
      total_tokens: times * 1_010,
    });
    const info = { total_token_usage: usage(number + 1), last_token_usage: usage(1) };
    const made = { name: "exec_command", arguments: JSON.stringify({ cmd: `rg -n word${number} src` }) };
    return [
      { type: "response_item", payload: { type: "function_call", ...made, call_id: `call_x${number}` } },
      { type: "event_msg", payload: { type: "token_count", info } },
      {
        type: "response_item",
        payload: { type: "function_call_output", call_id: `call_x${number}`, output: `src/${number}.ts` },
      },
    ];
  });
  return [{ type: "response_item", payload: said }, ...each.flat()];
}

function writeRollout(id: string, startedAt: number, records: readonly object[]): void {
  const meta = { id, timestamp: timestamp(startedAt), cwd: "/home/ada/shop", cli_version: "0.46.0" };
  const lines = [{ type: "session_meta", payload: meta }, ...records];
  const text = lines.map((line, at) => JSON.stringify({ timestamp: timestamp(startedAt + at), ...line })).join("\n");
  sandbox.write(`forks/rollout-2026-11-15T09-00-00-${id}.jsonl`, `${text}\n`);
}

it("counts what a fork has in common with its origin once, in every sum", async () => {
  writeRollout("019a1b2c-0000-7000-8000-00000000000a", 0, turn(0, 5));
  writeRollout("019a1b2c-1111-7000-8000-00000000000b", 7_200, [...turn(0, 5), ...turn(5, 4)]);
  const { totals, sessions } = await sandbox.reportOf(["forks"]);

  expect(sessions.map(({ calls }) => calls).sort()).toEqual([4, 5]);
  expect(totals.calls).toBe(9);
});
