import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, failure, result, round, step, user } from "../builders.ts";

const series = (count: number, events: (at: number) => AgentEvent[]): AgentEvent[] =>
  Array.from({ length: count }, (_, at) => events(at)).flat();
const edit = (at: number): AgentEvent[] =>
  step(
    "edit_file",
    { path: "a.ts", old_string: `line ${at}`, new_string: `better line ${at}` },
    "The file was changed.",
  );
const run = (command: string, output: string): AgentEvent[] => step("bash", { command }, output);
const failed = (command: string, output: string): AgentEvent[] => [call("bash", { command }), failure(output)];
const minutes = (events: readonly AgentEvent[], between: number): AgentEvent[] =>
  events.map((event, at) => ({ ...event, at: Math.floor(at / 2) * between * 60_000 + (at % 2) * 1000 }) as AgentEvent);

const states = [
  "queued",
  "starting",
  "running: 10%",
  "running: 40%",
  "running: 70%",
  "running: 90%",
  "uploading",
  "done",
];
const modules = ["requests", "numpy", "pandas", "scipy", "yaml", "flask", "jinja2", "redis"];

const innocents: [string, AgentEvent[]][] = [
  [
    "six jobs asked in turn while they move",
    series(48, (at) => step("check_job", { job: at % 6 }, `job ${at % 6} is ${states[Math.floor(at / 6)]}`)),
  ],
  [
    "six jobs asked in parallel while they move",
    series(8, (lap) => [
      ...Array.from({ length: 6 }, (_, job) => call("check_job", { job }, { id: `${lap}-${job}` })),
      ...Array.from({ length: 6 }, (_, job) => result(`job ${job} is ${states[lap]}`, { id: `${lap}-${job}` })),
    ]),
  ],
  [
    "six jobs asked in turn that are all pending",
    series(30, (at) => step("check_job", { job: at % 6 }, `{"job": ${at % 6}, "status": "pending"}`)),
  ],
  [
    "a build of ten minutes polled every half minute",
    series(20, () => run("sleep 30 && tail -1 build.log", "compiling")),
  ],
  [
    "a build of ten minutes with a clock",
    minutes(
      series(20, () => run("tail -1 build.log && sleep 30", "compiling")),
      0.5,
    ),
  ],
  [
    "a build of ten minutes looked at by a status tool",
    minutes(
      series(20, () => step("get_build_status", { build: 7 }, "still running")),
      0.5,
    ),
  ],
  [
    "a build of ten minutes waited for by a tool that waits",
    series(20, () => step("wait", { seconds: 30 }, "waited 30 s")),
  ],
  [
    "a wait that is asked for between looks",
    series(10, () => [...run("sleep 60", ""), ...run("tail -1 build.log", "compiling")]),
  ],
  [
    "a growing file counted every five minutes",
    series(20, (at) => run("sleep 300 && wc -l out.csv", `${1000 + at * 517} out.csv`)),
  ],
  ["a growing file counted without a wait", series(20, (at) => run("wc -l out.csv", `${1000 + at * 517} out.csv`))],
  [
    "the pages of a list by number",
    series(30, (at) =>
      step("list_orders", { page: at + 1, limit: 20 }, `orders ${at * 20} to ${at * 20 + 19}: ${"o".repeat(at)}`),
    ),
  ],
  [
    "the pages of a list by cursor",
    series(30, (at) =>
      step("list_orders", { cursor: `c${at}` }, JSON.stringify({ items: [at, at + 1], next: `c${at + 1}` })),
    ),
  ],
  [
    "the pages of a file by lines",
    series(30, (at) =>
      step("read_file", { path: "big.ts", offset: at * 200, limit: 200 }, `part ${at} ${"x".repeat(200 + at)}`),
    ),
  ],
  [
    "the pages of a file by sed",
    series(20, (at) => run(`sed -n '${at * 100 + 1},${at * 100 + 100}p' big.ts`, `part ${at} ${"y".repeat(200 + at)}`)),
  ],
  ["empty pages until the end of a range", series(8, (at) => step("list_events", { day: `2026-03-0${at + 1}` }, "[]"))],
  [
    "edit, test, edit, test with other failures",
    series(12, (at) => [...failed("npm test", `${20 - at} failed: case ${at} broke`), ...edit(at)]),
  ],
  [
    "edit, test with fewer failures each time in the same words",
    series(12, (at) => [...failed("npm test", `Tests: ${20 - at} failed, ${at} passed`), ...edit(at)]),
  ],
  ["edit and a type check that says nothing", series(20, (at) => [...edit(at), ...run("npx tsc --noEmit", "")])],
  ["edit and the same git status", series(20, (at) => [...edit(at), ...run("git status --short", " M a.ts")])],
  [
    "edit and an empty git diff of another folder",
    series(20, (at) => [...edit(at), ...run("git diff --stat docs", "")]),
  ],
  ["edit and a build that is fine", series(20, (at) => [...edit(at), ...run("npm run build", "build ok")])],
  ["edit and a green test run", series(20, (at) => [...edit(at), ...run("npm test", "Tests: 41 passed")])],
  [
    "the same look in every turn of a user",
    series(8, () => [user("And my order?"), ...step("get_order", { id: "A1" }, "shipped")]),
  ],
  [
    "the same two looks in every turn of a user",
    series(8, () => [user("?"), ...step("get_user", { id: 1 }, "Ada"), ...step("get_order", { id: "A1" }, "shipped")]),
  ],
  [
    "members looked up who are all unknown",
    series(12, (at) =>
      step(
        "find_member",
        {
          name: [
            "Ada",
            "Grace",
            "Alan",
            "Edsger",
            "Barbara",
            "Donald",
            "Ken",
            "Dennis",
            "Tony",
            "Niklaus",
            "Leslie",
            "Frances",
          ][at],
        },
        "[]",
      ),
    ),
  ],
  [
    "files looked for that are not there",
    series(12, (at) =>
      run(
        `ls src/${["core", "web", "cli", "db", "auth", "jobs", "mail", "test", "docs", "bin", "lib", "ui"][at]}/index.ts`,
        "",
      ),
    ),
  ],
  [
    "different files attached with the same word back",
    series(12, (at) => step("attach_file", { path: `report-${"abcdefghijkl"[at]}.pdf` }, "True")),
  ],
  [
    "different rows written with the same word back",
    series(30, (at) => step("insert_row", { table: "orders", value: `row number ${at} of many` }, "ok")),
  ],
  [
    "many files created with the same words back",
    series(30, (at) =>
      step(
        "write_file",
        { path: `src/part-${at}.ts`, content: `export const part = ${at};` },
        "File created successfully.",
      ),
    ),
  ],
  [
    "a missing module installed, then the next",
    series(8, (at) => [
      ...failed(
        "python main.py",
        `Traceback (most recent call last):\n  File "main.py", line ${at + 1}\nModuleNotFoundError: No module named '${modules[at]}'`,
      ),
      ...run(`pip install ${modules[at]}`, `Successfully installed ${modules[at]}`),
    ]),
  ],
  [
    "the same file read before each of its edits",
    series(20, (at) => [...step("read_file", { path: "a.ts" }, `line ${at}\nline ${at + 1}`), ...edit(at)]),
  ],
  [
    "an edit that failed, read again and done right",
    [
      ...step("read_file", { path: "a.ts" }, "one\ntwo"),
      ...[call("edit_file", { path: "a.ts", old_string: "on", new_string: "1" }), failure("old_string is not unique")],
      ...step("read_file", { path: "a.ts" }, "one\ntwo"),
      ...step("edit_file", { path: "a.ts", old_string: "one", new_string: "1" }, "done"),
      ...step("read_file", { path: "a.ts" }, "1\ntwo"),
    ],
  ],
  [
    "a command that failed once and then worked",
    [
      ...failed("npm ci", "npm error network timeout"),
      ...failed("npm ci", "npm error network timeout"),
      ...run("npm ci", "added 120 packages"),
    ],
  ],
  [
    "one list looked at between many new things",
    series(30, (at) => [
      ...step("list_todos", {}, "1. a 2. b 3. c"),
      ...series(3, (of) => step("read_file", { path: `${at}-${of}.ts` }, `file ${at} ${of} ${"z".repeat(at)}`)),
    ]),
  ],
  [
    "five equal calls at once, twice",
    series(2, (lap) => [
      round,
      ...series(5, (of) => [call("get_time", {}, { id: `${lap}${of}` })]),
      ...series(5, (of) => [result("noon", { id: `${lap}${of}` })]),
    ]),
  ],
  [
    "searches for different things that find nothing",
    series(8, (at) =>
      step(
        "grep",
        { pattern: ["TODO", "createGuard", "export default", "Buffer", "eval", "useEffect", "process.env", "any"][at] },
        "No matches found",
      ),
    ),
  ],
  [
    "thoughts between steps",
    series(20, (at) => [
      { type: "reasoning", text: `Now I look at part ${at}.` },
      ...step("think", { thought: `part ${at} is next` }, "Your thought has been logged."),
      ...step("read_file", { path: `${at}` }, `part ${at} ${"w".repeat(at)}`),
    ]),
  ],
  [
    "a page scrolled down",
    series(12, (at) => step("browser_scroll", { direction: "down" }, `section ${at}: ${"text ".repeat(at + 3)}`)),
  ],
  [
    "forms filled in one after the other",
    series(12, (at) => [
      ...step("browser_fill", { field: "name", text: `guest ${"abcdefghijkl"[at]}` }, "filled"),
      ...step("browser_click", { text: "Add" }, `guests: ${at + 1}`),
    ]),
  ],
  [
    "a query refined step by step",
    series(8, (at) =>
      step("sql_query", { query: `select * from t where a > ${at}` }, `${100 - at * 7} rows: ${"r".repeat(at)}`),
    ),
  ],
];

/** Told today, though a careful supervisor would not speak. None of them is refused. */
const TOLD_TODAY = ["a build of ten minutes looked at by a status tool", "files looked for that are not there"];

describe("innocent work", () => {
  it.each(innocents.filter(([name]) => !TOLD_TODAY.includes(name)))("is left alone: %s", (_, events) => {
    expect(actionsOf(events)).toEqual([]);
  });

  it.fails.each(innocents.filter(([name]) => TOLD_TODAY.includes(name)))("is left alone: %s", (_, events) => {
    expect(actionsOf(events)).toEqual([]);
  });

  it.each(innocents)("is never refused: %s", (_, events) => {
    expect(actionsOf(events).filter((action) => action !== "nudge")).toEqual([]);
  });
});

describe("the same work without its excuse", () => {
  const guilty: [string, AgentEvent[]][] = [
    ["a job asked without a pause that says nothing new", series(12, () => step("get_order", { id: "A1" }, "shipped"))],
    ["a build polled for an hour", series(120, () => run("sleep 30 && tail -1 build.log", "compiling"))],
    [
      "a build polled for an hour by the clock",
      minutes(
        series(120, () => step("get_build_status", { build: 7 }, "still running")),
        0.5,
      ),
    ],
    [
      "one page of a list again and again",
      series(12, () => step("list_orders", { page: 3, limit: 20 }, "orders 40 to 59")),
    ],
    [
      "one range of a file again and again",
      series(6, () => step("read_file", { path: "big.ts", offset: 400, limit: 200 }, "part 2")),
    ],
    ["a test run again with nothing changed", series(6, () => failed("npm test", "1 failed: expected 2, got 3"))],
    [
      "a test run again after the same edit as before",
      series(8, () => [...failed("npm test", "1 failed: expected 2, got 3"), ...edit(1)]),
    ],
    ["a type check that says nothing, again with nothing changed", series(30, () => run("npx tsc --noEmit", ""))],
    [
      "a missing module not installed",
      series(8, () => failed("python main.py", "ModuleNotFoundError: No module named 'numpy'")),
    ],
    ["one file attached again and again", series(12, () => step("attach_file", { path: "report.pdf" }, "True"))],
    [
      "the same look within one turn of a user",
      [user("?"), ...series(12, () => step("get_order", { id: "A1" }, "shipped"))],
    ],
    ["a member looked up again and again", series(6, () => step("find_member", { name: "Ada" }, "[]"))],
    [
      "the same thought",
      series(8, () => step("think", { thought: "I should begin" }, "Your thought has been logged.")),
    ],
  ];

  it.each(guilty)("is a loop: %s", (_, events) => {
    expect(actionsOf(events).length).toBeGreaterThan(0);
  });
});

describe("work that may be waiting, or was asked for as often, is told at most", () => {
  const lines = "a line of a log that tells what the press has printed today, sheet by sheet\n".repeat(4);
  const told: [string, AgentEvent[]][] = [
    [
      "a folder that stays empty, looked at every minute",
      minutes(
        series(25, () => step("list_directory", { path: "incoming" }, "[]")),
        1,
      ),
    ],
    [
      "a device that is not plugged in, looked for every minute",
      minutes(
        series(25, () => step("bash", { command: "lsusb | grep FTDI" }, "", { error: true })),
        1,
      ),
    ],
    [
      "a log that somebody wants watched, read every minute",
      [
        user("Keep an eye on the log."),
        ...minutes(
          series(25, () => step("read_file", { path: "press.log" }, lines)),
          1,
        ),
      ],
    ],
    [
      "a sensor that is a file, read as often as the user said",
      [
        user("Take 25 readings of the boiler, one line each."),
        ...series(25, () => [
          ...step("bash", { command: "cat /sys/bus/w1/boiler" }, "21375"),
          ...step("bash", { command: "echo 21375 >> log.csv" }, ""),
        ]),
      ],
    ],
    [
      "a test that is run 20 times to count how often it fails",
      [user("Run the test 20 times and count failures."), ...series(20, () => failed("npm test", "1 failed: login"))],
    ],
  ];

  const refusals = (events: readonly AgentEvent[]) => actionsOf(events).filter((action) => action !== "nudge");

  it.each(told)("%s", (_, events) => {
    expect(refusals(events)).toEqual([]);
  });

  it.each(told)("%s, after some other work", (_, events) => {
    const work = series(4, (at) => step("read_file", { path: `${at}.ts` }, `export const part${at} = ${at};`));
    const before = minutes(work, 0.05).map((event) => ({ ...event, at: (event as { at: number }).at - 600_000 }));

    expect(refusals([...(events.some((event) => "at" in event) ? before : work), ...events] as AgentEvent[])).toEqual(
      [],
    );
  });
});
