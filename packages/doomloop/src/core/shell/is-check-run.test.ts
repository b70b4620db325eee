import { describe, expect, it } from "vitest";
import { isCheckRun, isCommit } from "./is-check-run.ts";

describe("isCheckRun", () => {
  it.each([
    "npm test",
    "npm run build",
    "cd web && pnpm run lint:fix 2>&1 | tail -20",
    "npx tsc --noEmit",
    "CI=1 timeout 60 cargo clippy",
    "make",
    "make build",
    "go vet ./...",
    "./test.sh",
    "sh scripts/run_checks.sh",
    "python3 -m pytest -q",
    "git stash && npm test",
  ])("knows that `%s` checks the work", (command) => {
    expect(isCheckRun(command)).toBe(true);
  });

  it.each([
    "./push.sh",
    "docker push registry/test-app",
    "cat test.sh",
    "rm -rf build",
    "git checkout test",
    "make push",
    "npm publish",
    "npm run deploy",
    "test -f a.txt",
    "grep -r build src",
    "node server.js",
    `echo ${"x".repeat(20_000)}; npm test`,
  ])("does not take `%s` for a check", (command) => {
    expect(isCheckRun(command)).toBe(false);
  });
});

describe("isCommit", () => {
  it("knows a commit among other commands", () => {
    expect(isCommit("git add -A && git -c user.name=a commit -m 'x'")).toBe(true);
    expect(isCommit("git log --grep commit")).toBe(false);
  });
});
