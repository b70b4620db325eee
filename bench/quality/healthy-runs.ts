import type { Script, Told } from "./steadiness.ts";

const PEOPLE =
  "Ada Ben Cleo Dan Eva Finn Gita Hugo Ines Jon Kim Lea Max Nia Otto Pia Quin Rosa Sam Tara Udo Vera Wim Xena Yara Zoe".split(
    " ",
  );
const PARTS =
  "pump boiler lift router oven scanner door heater sensor valve motor fan switch lamp cable panel hinge brake".split(
    " ",
  );
const person = (number: number): string => PEOPLE[number % PEOPLE.length]!;
const part = (number: number): string => PARTS[(7 * number + 3) % PARTS.length]!;

const ok = (tool: string, args: unknown, output: unknown, times: Pick<Told, "pauseMs" | "tookMs"> = {}): Told => ({
  tool,
  args,
  output,
  isFailure: false,
  ...times,
});
const failed = (told: Told): Told => ({ ...told, isFailure: true });
const shell = (command: string, output: string, times?: Pick<Told, "pauseMs" | "tookMs">): Told =>
  ok("bash", { command }, output, times);

function run(name: string, request: string, calls: number, step: Script["step"], needsClock = false): Script {
  return { name, request, calls, step, needsClock };
}

/** Two calls in turn, lap by lap. */
function pair(name: string, request: string, laps: number, step: (lap: number) => readonly [Told, Told]): Script {
  return run(name, request, 2 * laps, (number) => step(number >> 1)[number % 2]!);
}

/** Honest repetition that shows by facts what it is: new results, changes, pauses. No change of words may turn it into a loop. */
const byFacts: readonly Script[] = [
  run(
    "a status with pauses",
    "Deploy the shop and tell me when it is live.",
    24,
    (n) =>
      ok(
        "get_deployment",
        { id: "shop-3" },
        n < 23 ? '{"id":"shop-3","status":"in_progress"}' : '{"id":"shop-3","status":"live"}',
        { pauseMs: 30_000 },
      ),
    true,
  ),
  run("sleep and look in one command", "Wait for CI run 88 and tell me how it ends.", 20, (n) =>
    shell(
      "sleep 30 && gh run view 88",
      n < 19 ? "in_progress\t\tBuild\tmain\tpush\t88" : "completed\tsuccess\tBuild\tmain\tpush\t88",
      { tookMs: 31_000 },
    ),
  ),
  pair("sleep, then look", "Start the import and report when it is over.", 14, (n) => [
    ok("sleep", { seconds: 30 }, "Slept for 30 seconds.", { tookMs: 30_000 }),
    ok("get_job", { id: 7 }, n < 13 ? '{"job":7,"state":"pending"}' : '{"job":7,"state":"done"}'),
  ]),
  run("a status that moves on", "Export the orders and tell me when it is through.", 30, (n) =>
    ok("get_export", { id: 9 }, `{"export":9,"status":"running","done":${3 * n + 2},"of":90}`),
  ),
  run("pages by number", "Add up all orders.", 30, (n) =>
    ok(
      "list_orders",
      { page: n + 1 },
      `page ${n + 1}: ${person(n)} ordered a ${part(n)}, ${person(3 * n + 1)} a ${part(n + 5)}`,
    ),
  ),
  run("the next page", "Collect what was paid.", 30, (n) =>
    ok("next_page", {}, `${person(n)} paid for a ${part(n)}. ${person(5 * n + 2)} for a ${part(2 * n)}.`),
  ),
  run("records behind Next", "Write down what all users have ordered.", 30, (n) =>
    ok(
      "browser_click",
      { element: "Next", ref: "e9" },
      `Name: user${n + 7}\nStreet: Long Lane\nState: active customer\nNotes: none so far`,
    ),
  ),
  pair("edit and test", "Repair the tests one by one.", 12, (n) => [
    ok("edit_file", { path: `src/${part(n)}.ts`, old: person(n), new: person(n + 9) }, "The file has been updated."),
    failed(
      shell(
        "npx vitest run",
        `FAIL src/${part(n + 1)}.test.ts\n  expected ${n} to be ${2 * n + 1}\nTests: ${12 - n} failed`,
        { tookMs: 2_300 },
      ),
    ),
  ]),
  pair("reading after edits", "Tidy src/main.ts step by step.", 12, (n) => [
    ok(
      "read_file",
      { path: "src/main.ts" },
      `// main\n${PARTS.slice(0, n + 1)
        .map((name) => `export const ${name} = "${person(n)}";`)
        .join("\n")}\n`,
    ),
    ok(
      "edit_file",
      { path: "src/main.ts", old: person(n), new: `${person(n + 1)} ${part(n)}` },
      "The file has been updated.",
    ),
  ]),
  run("reminders to a list", "Send a reminder to everybody on the list.", 25, (n) =>
    ok("send_reminder", { to: `${person(n).toLowerCase()}@shop.example` }, "Reminder sent."),
  ),
  pair("a queue", "Work off the queue.", 15, (n) => [
    ok("next_job", {}, `{"job":"${person(n)}-${part(n)}","task":"label a ${part(n + 3)}"}`),
    ok("finish_job", { job: `${person(n)}-${part(n)}` }, '{"ok":true}'),
  ]),
  run(
    "pods that come up",
    "Roll out the shop and watch until it is up.",
    14,
    (n) =>
      shell(
        "kubectl get pods",
        `NAME    READY   STATUS              RESTARTS\nshop-1  ${n < 13 ? "0/1     ContainerCreating" : "1/1     Running          "}   0`,
        { pauseMs: 20_000 },
      ),
    true,
  ),
  run("a search in many files", "Which modules mention the old licence?", 18, (n) =>
    ok("grep", { pattern: "Old Licence", path: `src/${PARTS[n]}` }, "No matches found"),
  ),
  pair("renames with a test after each", "Rename the helpers, with a test run after each.", 14, (n) => [
    ok(
      "edit_file",
      { path: `src/${part(n)}.ts`, old: `do${person(n)}`, new: `${person(n).toLowerCase()}Of` },
      "The file has been updated.",
    ),
    shell("npx vitest run", "Tests: 42 passed", { tookMs: 2_300 }),
  ]),
  run(
    "longer and longer pauses",
    "Fetch the figures from the API.",
    7,
    (n) => {
      const told = ok(
        "http_get",
        { url: "https://api.example/figures" },
        n < 6 ? "503 Service Unavailable. Retry later." : '{"runs":4100}',
        { pauseMs: 15_000 * 2 ** Math.min(n, 4) },
      );
      return n < 6 ? failed(told) : told;
    },
    true,
  ),
  run("a log that grows", "Follow job 7.", 18, (n) =>
    ok(
      "read_job_log",
      { id: 7 },
      PARTS.slice(0, n + 1)
        .map((name) => `built ${name}`)
        .join("\n"),
    ),
  ),
  run("a process that is at work", "Build it and report.", 15, (n) =>
    ok("write_stdin", { session: 4, chars: "" }, n < 14 ? "" : "built in 140 s", { tookMs: 10_050 }),
  ),
];

/** Honest repetition that only its request explains. */
const byRequest: readonly Script[] = [
  run("24 runs of a benchmark", "Run the benchmark 24 times and give me the median.", 24, (n) =>
    shell("node bench/main.js", `main: ${(1 + ((n * 37) % 50) / 100).toFixed(2)} ms per file`, { tookMs: 4_000 }),
  ),
  run("24 runs of a flaky test", "The login test is flaky. Run it 24 times and count how often it fails.", 24, (n) => {
    const told = shell("npx vitest run login", n === 15 ? "Tests: 1 failed, 13 passed" : "Tests: 14 passed", {
      tookMs: 2_400,
    });
    return n === 15 ? failed(told) : told;
  }),
  run("24 readings", "Take 24 readings of the cellar's thermometer.", 24, () =>
    ok("read_thermometer", { room: "cellar" }, "21.5"),
  ),
  run(
    "a schedule",
    "Check the depth of the mail queue every minute for the next half hour.",
    30,
    () => ok("get_queue_depth", { queue: "mail" }, '{"queue":"mail","depth":0}', { pauseMs: 60_000 }),
    true,
  ),
  run("a status without pauses", "Deploy the shop and tell me when it is live.", 24, () =>
    ok("get_deployment", { id: "shop-3" }, '{"id":"shop-3","status":"in_progress"}'),
  ),
  run("until it fails", "The login test fails now and then. Run it until it fails.", 40, () =>
    shell("npx vitest run login", "Tests: 14 passed", { tookMs: 2_400 }),
  ),
  run("12 clicks", "Click Next 12 times in the wizard and tell me where you are.", 12, () =>
    ok("browser_click", { element: "Next", ref: "e3" }, "Clicked on e3."),
  ),
  run("20 coins", "Toss the coin 20 times and count the heads.", 20, (n) =>
    ok("toss_coin", {}, (n * 7) % 5 < 3 ? "heads" : "tails"),
  ),
];

export const honestRuns: readonly Script[] = [...byFacts, ...byRequest];
