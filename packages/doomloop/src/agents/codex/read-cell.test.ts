import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { readCell } from "./read-cell.ts";

it.each([
  [
    'const r = await tools.exec_command({cmd:"sed -n \'1,9p\' a.ts; echo \\"x\\"","workdir":"/shop",yield_time_ms: 10_0});',
    undefined,
  ],
  [
    'const r = await tools.exec_command({cmd:"sed -n \'1,9p\' a.ts",workdir:"/shop",yield_time_ms:1000}); text(r.output);',
    { tool: "exec_command", args: { cmd: "sed -n '1,9p' a.ts", workdir: "/shop", yield_time_ms: 1000 } },
  ],
  [
    "await tools.exec_command({ 'cmd' : 'it\\'s',\n  login: true, })",
    { tool: "exec_command", args: { cmd: "it's", login: true } },
  ],
  [
    "text(await tools.apply_patch(`*** Begin Patch\n*** End Patch`))",
    { tool: "apply_patch", args: "*** Begin Patch\n*** End Patch" },
  ],
  [
    'await Promise.all([tools.exec_command({cmd:"ls"}), tools.exec_command({cmd:"pwd"})])',
    { tool: "exec_command", args: { cmd: "ls\npwd" } },
  ],
  ["tools.exec_command({cmd: command})", undefined],
  ["tools.exec_command({cmd: `cat \x24{name}`})", undefined],
  ['tools.exec_command({cmd: "a" + b})', undefined],
  ['tools.exec_command({cmd: "a"}); tools.view_image({path: "b"})', undefined],
  ["text(1 + 1)", undefined],
  ["", undefined],
  [7, undefined],
])("reads %s", (code, call) => {
  expect(readCell(code)).toEqual(call ?? { tool: "exec", args: { code } });
});

it("gives back every command that stands in a cell as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (cmd) => {
      const code = `text(await tools.exec_command({cmd:${JSON.stringify(cmd)}}))`;
      expect(readCell(code)).toEqual({ tool: "exec_command", args: { cmd } });
    }),
    { numRuns: propertyRuns() },
  );
});
