import { step, times, user } from "../builders.ts";
import {
  bashFails,
  editCart,
  editFile,
  exec,
  execFails,
  FILE,
  failing,
  GO,
  JEST,
  type KnownLoops,
  MODULE,
  PYTEST,
  patch,
  RUST,
  readFile,
  tool,
  turns,
  VITEST,
} from "./known-loops.ts";

/** Edits that do not match, and tests that go on failing. */
export const EDITS_AND_TESTS: KnownLoops = {
  "edit-mismatch": [
    times(
      6,
      failing(
        "Edit",
        { file_path: "/repo/a.js", old_string: "return total", new_string: "return sum" },
        "<tool_use_error>String to replace not found in file.\nString: return total</tool_use_error>",
      ),
    ),
    times(
      7,
      failing(
        "apply_patch",
        { input: "*** Begin Patch\n*** Update File: a.rs\n@@\n-let queue\n+let line\n*** End Patch" },
        "apply_patch verification failed: Failed to find expected lines in a.rs:\nlet queue",
      ),
    ),
    times(
      7,
      failing(
        "replace",
        { file_path: "/repo/a.js", old_string: "x", new_string: "y" },
        "Failed to edit, could not find the string to replace. No edits made. 0 occurrences found for old_string.",
      ),
    ),
    times(
      7,
      failing(
        "edit",
        { path: "src/a.ts", oldText: "let a = 1", newText: "let a = 2" },
        "Could not find the exact text in src/a.ts. The old text must match exactly, with white space and line breaks.",
      ),
    ),
    times(
      6,
      failing(
        "Edit",
        { file_path: "/x/cart.ts", old_string: "let a = 1", new_string: "let a = 2" },
        "String to replace not found in file.\nString: let a = 1",
      ),
    ),
    turns(6, (at) =>
      failing(
        "Edit",
        { file_path: "/x/cart.ts", old_string: `return total${" ".repeat(at)};`, new_string: "return sum;" },
        "String to replace not found in file.",
      ),
    ),
    times(
      6,
      failing(
        "str_replace_editor",
        { command: "str_replace", path: "/x/a.py", old_str: "foo", new_str: "bar" },
        "No replacement was performed, old_str `foo` did not appear verbatim in /x/a.py.",
      ),
    ),
    times(
      6,
      failing(
        "apply_patch",
        { patch: "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch" },
        "Failed to find expected lines in a.ts:\nx",
      ),
    ),
    times(
      6,
      failing(
        "replace",
        { file_path: "a.go", old_string: "x := 1", new_string: "x := 2" },
        "Failed to edit, 0 occurrences found for old_string in a.go. No edits made.",
      ),
    ),
    times(
      6,
      failing(
        "Edit",
        { file_path: "/x/a.ts", old_string: "}", new_string: "};" },
        "Found 14 matches of the string to replace, but replace_all is false. To replace only one occurrence, please provide more context.",
      ),
    ),
  ],
  "test-without-edit": [
    [user("fix it"), ...readFile("src/invoice.js", MODULE), ...times(9, bashFails("npx jest invoice", JEST))],
    times(6, [...execFails("go test ./merge", GO), ...exec("sed -n 30,60p merge/merge.go", MODULE)]),
    [
      ...tool("str_replace", { path: "/repo/a.rs", old_str: "a", new_str: "b" }, "The file a.rs has been edited."),
      ...times(8, failing("bash", { command: "cargo build" }, RUST)),
    ],
    times(7, bashFails("npm test", VITEST)),
    [...editCart(1), ...times(6, bashFails("pytest -q", PYTEST))],
    times(6, [...bashFails("npm test", VITEST), ...step("Read", { file_path: "/x/cart.ts" }, FILE)]),
    times(6, failing("run_tests", { path: "tests" }, PYTEST)),
    times(
      6,
      bashFails(
        "cargo test",
        "test parser::nested ... FAILED\nthread 'parser::nested' panicked at src/parser.rs:40:9\ntest result: FAILED. 41 passed; 1 failed",
      ),
    ),
    times(
      6,
      bashFails(
        "npx tsc --noEmit",
        "src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.",
      ),
    ),
  ],
  "fix-without-effect": [
    turns(8, (at) => [...editFile("src/invoice.js", at), ...bashFails("npx jest invoice", JEST)]),
    turns(9, (at) => [
      ...exec(`rg -n part${at} src`, `src/q.rs:${at}: part${at}`),
      ...patch(at),
      ...execFails("cargo build", RUST, 101),
    ]),
    turns(8, (at) => [
      ...tool("edit", { filePath: "/repo/merge.go", oldString: `a${at}`, newString: `b${at}` }, ""),
      ...failing("bash", { command: "go test ./merge" }, GO),
    ]),
    turns(7, (at) => [...editCart(at), ...bashFails("npm test", VITEST)]),
    turns(7, (at) => [
      ...step("Write", { file_path: "/x/fix.py", content: `x = ${at}` }, `File written (${at})`),
      ...bashFails("pytest -q", PYTEST),
    ]),
    turns(7, (at) => [
      ...step("Read", { file_path: `/x/f${at}.ts` }, `text ${at}`),
      ...editCart(at),
      ...bashFails(
        "npm run build",
        "error TS2322: Type 'string' is not assignable to type 'number'.\n  src/cart.ts:4:7",
      ),
    ]),
  ],
};
