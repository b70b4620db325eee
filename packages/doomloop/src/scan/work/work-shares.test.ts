import { expect, it } from "vitest";
import { createWorkShares, joinShares, joinTools } from "./work-shares.ts";

const share = (name: string | null, calls: number, timeMs = 0) => ({ name, calls, failed: 0, timeMs, characters: 0 });

it("adds up the calls of each name", () => {
  const shares = createWorkShares();
  for (const isFailing of [true, false]) {
    shares.addCall("Bash");
    shares.addResult("Bash", { isFailing, timeMs: 20, characters: 300 });
  }

  expect(shares.finish()).toEqual([{ name: "Bash", calls: 2, failed: 1, timeMs: 40, characters: 600 }]);
});

it("puts the calls of too many names together", () => {
  const shares = createWorkShares();
  for (let at = 0; at < 500; at++) shares.addCall(`tool-${at}`);
  const all = shares.finish();

  expect(all.length).toBeLessThan(100);
  expect(all.at(-1)!.name).toBeNull();
  expect(all.reduce((sum, { calls }) => sum + calls, 0)).toBe(500);
});

it("puts the one with most time first, and adds up the rest", () => {
  const runs = [
    [share("a", 1, 5), share("b", 9)],
    [share("c", 2, 8), share("a", 1, 5), share(null, 4, 1)],
  ];

  expect(joinShares(runs, 2)).toEqual([share("a", 2, 10), share("c", 2, 8), share(null, 13, 1)]);
  expect(joinShares([[share("b", 3)], [share("a", 4)]], 5).map(({ name }) => name)).toEqual(["a", "b"]);
});

it("makes one row of the shells of all agents, and of the spellings of a tool", () => {
  const runs = [
    [share("Bash", 3, 9), share("Read", 1, 2)],
    [share("exec_command", 2, 8), share("read", 4, 2), share("run_shell_command", 1), share(null, 2)],
  ];

  expect(joinTools(runs, 5)).toEqual([share("shell", 6, 17), share("read", 5, 4), share(null, 2)]);
  expect(joinTools([[share("Bash", 3, 9)], [share("Bash", 1)]], 5)).toEqual([share("Bash", 4, 9)]);
});
