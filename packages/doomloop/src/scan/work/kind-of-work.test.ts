import { expect, it } from "vitest";
import { call } from "../../../../../test/builders.ts";
import { readCall } from "../../core/progress/read-call.ts";
import { kindOfWork } from "./kind-of-work.ts";

function workOf(tool: string, args: object) {
  const { effect, command, waitMs } = readCall(tool, args);
  const { kind, isCheck, isEdit } = kindOfWork({ effect, isCommand: command !== undefined, waitMs }, call(tool, args));
  return [kind, isCheck ? "check" : isEdit ? "edit" : "neither"].join(" ");
}

it.each([
  ["npm test", "test check"],
  ["npx tsc --noEmit", "test check"],
  ["cargo build", "test check"],
  ["cd app && npm run build 2>&1 | tail -5", "test check"],
  ["make -j4", "test check"],
  ["npm run e2e", "test check"],
  ["yarn e2e --headed", "test check"],
  ["pnpm run test:e2e", "test check"],
  ["bun run ci:lint", "test check"],
  ["npm run verify", "test check"],
  ["npm run specification", "act neither"],
  ["npm run dev", "act neither"],
  ["go vet ./...", "test check"],
  ["grep -rn 'cargo build' docs", "look neither"],
  ["git add -A", "act neither"],
  ["git commit -m 'fix (a) > b'", "act neither"],
  ["git commit -m \"$(cat <<'EOF'\nfix a\n\nBy: A <a@b.c>\nEOF\n)\"", "act neither"],
  ["npm install", "act neither"],
  ["pip install -r requirements.txt > /dev/null 2>&1", "act neither"],
  ["cat > a.ts <<'EOF'\nconst a = 1;\nEOF", "write edit"],
  ["sed -i 's/a/b/' a.ts", "write edit"],
  ["mv a.ts b.ts", "write edit"],
  ["echo a >> notes.md", "write edit"],
  ["sleep 45 && gh run view 7", "wait neither"],
  ["gh run view 7", "watch neither"],
])("takes %j for %s", (command, work) => {
  expect(workOf("Bash", { command })).toBe(work);
});

it("takes an edit for an edit, whichever tool makes it", () => {
  expect(workOf("Edit", { file_path: "a.ts", old_string: "a", new_string: "b" })).toBe("write edit");
  expect(workOf("apply_patch", { input: "*** Begin Patch\n*** Update File: a.ts" })).toBe("write edit");
  expect(workOf("Read", { file_path: "a.ts" })).toBe("look neither");
});
