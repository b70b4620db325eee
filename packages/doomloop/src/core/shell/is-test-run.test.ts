import { describe, expect, it } from "vitest";
import { readCommand } from "./read-command.ts";

describe("a run of tests", () => {
  it.each([
    "pytest -q tests/a.py::b",
    "cd x && timeout 60 pytest 2>&1 | tail -5",
    "python -m pytest",
    "python3.12 -bb -m unittest discover",
    "python manage.py test app",
    "./manage.py test",
    "python tests/runtests.py",
    "coverage run -m pytest",
    "coverage run --source a manage.py test",
    "npm test",
    "npm run test",
    "npm run test:unit -- -t a",
    "yarn test",
    "yarn jest",
    "pnpm -r test",
    "pnpm exec vitest run",
    "npx jest a",
    "node --test",
    "bun test",
    "deno test",
    "go test ./...",
    "cargo test",
    "cargo nextest run",
    "make test",
    "make check",
    "tox -e py",
    "bundle exec rspec",
    "vendor/bin/phpunit",
    "mvn -q clean test",
    "./mvnw clean test",
    "./gradlew :core:test",
    "ctest",
    "dotnet test",
    "uv run pytest",
    "poetry run python -m pytest",
    "mise run test:unit",
    "python setup.py test",
    "make -C src test",
    "bin/test sympy",
    "bash run_tests.sh",
    "A=b pytest",
    "npm run build && npm test",
  ])("is %j", (command) => {
    expect(readCommand(command).isMeasuring).toBe(true);
  });

  it.each([
    "grep pytest f",
    "cat test",
    "test -f a",
    "pip install pytest",
    "pytest --version",
    "npm run build",
    "npm run testimonials",
    "npm install jest",
    "go build",
    "make",
    "python test_x.py",
    "pylint tests",
    "mkdir test",
    "ls tests",
    "echo npm test",
    "git commit -m test",
  ])("is not %j", (command) => {
    expect(readCommand(command).isMeasuring).toBe(false);
  });
});
