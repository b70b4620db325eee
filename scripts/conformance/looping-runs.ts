import { measured, textOf } from "./healthy-runs.ts";
import type { Script, ScriptedAgent } from "./played-run.ts";

const FAILURE =
  "FAILED tests/test_login.py::test_redirect - AssertionError: expected 302, got 500\n1 failed, 11 passed";

/** Makes one call until the run is over, or so often. */
function insists(tool: string, args: unknown, output: unknown, times = 40): (agent: ScriptedAgent) => void {
  return (agent) => {
    for (let at = 0; at < times; at++) if (!agent.step(tool, args, output)) return;
  };
}

/** Goes through steps, one after the other, again and again. */
function circles(steps: readonly (readonly [string, object, string])[], laps: number): (agent: ScriptedAgent) => void {
  return (agent) => {
    for (let lap = 0; lap < laps; lap++)
      for (const [tool, args, output] of steps) if (!agent.step(tool, args, output)) return;
  };
}

const equalReads = (agent: ScriptedAgent): void => {
  const path = agent.pick(["login.py", "settings.py", "orders/models.py", "README.md"]);
  insists("read_file", { path }, textOf(path))(agent);
};

/** Runs that go in circles, under every preset. */
export const loopingRuns: readonly Script[] = [
  { name: "one-call-for-ever", times: 10, play: equalReads },
  { name: "one-call-for-ever-in-rounds", times: 4, hasRounds: true, play: equalReads },
  { name: "one-call-conservative", times: 4, policy: "conservative", play: equalReads },
  { name: "one-call-aggressive", times: 4, policy: "aggressive", play: equalReads },
  {
    name: "one-call-shadow",
    times: 6,
    policy: "shadow",
    play: insists("read_file", { path: "a.py" }, textOf("a.py"), 24),
  },
  {
    name: "one-call-attended",
    times: 4,
    options: { attended: true },
    play: insists("read_file", { path: "a.py" }, textOf("a.py"), 26),
  },
  {
    name: "one-call-many-times-a-second",
    times: 4,
    play(agent) {
      for (let at = 0; at < 30; at++)
        agent.step("read_file", { path: "a.py" }, textOf("a.py"), { thoughtMs: 30, tookMs: 5 });
    },
  },
  {
    name: "listens-to-the-words",
    times: 8,
    play(agent) {
      const file = agent.pick(["a.py", "b.py", "c.py"]);
      for (let at = 0; at < 3 + agent.draw(3); at++) agent.step("read_file", { path: file }, textOf(file));
      for (let at = 0; at < 4; at++) agent.step("search", { q: `word ${at}` }, `found word ${at} in line ${at * 7}`);
      agent.step("read_file", { path: file }, textOf(file));
    },
  },
  {
    name: "two-calls-in-turn",
    times: 8,
    play: circles(
      [
        ["search", { q: "redirect" }, "login.py:14: return redirect(next)\nviews.py:80: redirect('/')"],
        ["read_file", { path: "login.py" }, textOf("login.py")],
      ],
      14,
    ),
  },
  {
    name: "three-calls-in-turn",
    times: 6,
    hasRounds: true,
    play: circles(
      [
        ["list_files", { path: "src" }, "app.py\nlogin.py\nviews.py\nurls.py\nsettings.py"],
        ["read_file", { path: "app.py" }, textOf("app.py")],
        ["git_status", {}, "On branch main\nnothing to commit, working tree clean"],
      ],
      9,
    ),
  },
  {
    name: "a-failing-test",
    times: 8,
    play(agent) {
      for (let at = 0; at < 30; at++)
        if (!agent.step("bash", { command: "pytest tests/test_login.py" }, FAILURE, { error: true, tookMs: 2_500 }))
          return;
    },
  },
  {
    name: "a-failure-with-other-times-and-ids",
    times: 8,
    play(agent) {
      for (let at = 0; at < 24; at++) {
        const id = (0x10000000 + agent.draw(0xfffffff)).toString(16);
        const words = `2026-11-17T12:${10 + at}:07Z ERROR request ${id}: the database refused the connection`;
        if (!agent.step("deploy", { to: "staging" }, words, { error: true })) return;
      }
    },
  },
  {
    name: "one-error-from-many-guesses",
    times: 8,
    play(agent) {
      const names = [
        "orders",
        "order",
        "order_list",
        "orderlist",
        "all_orders",
        "orders_all",
        "list_orders",
        "OrderList",
      ];
      for (const name of [...names, ...names.map((one) => `${one}s`)])
        agent.step("get", { url: `https://shop.example/api/${name}` }, "404 Not Found: there is no such resource", {
          error: true,
        });
    },
  },
  {
    name: "polls-without-a-pause",
    times: 6,
    play: insists("get_job", { id: 7 }, { status: "failed", note: "The job has failed for good: out of memory." }, 30),
  },
  {
    name: "same-answer-in-words",
    times: 6,
    hasRounds: true,
    play(agent) {
      for (let at = 0; at < 14; at++) {
        agent.wait(4_000);
        agent.send({ type: "round" });
        agent.send({
          type: "text",
          text: "I will now begin to work on the task. Let me know if you need anything else.",
        });
      }
    },
  },
  {
    name: "chants-in-a-stream",
    times: 4,
    play(agent) {
      for (let at = 0; at < 30; at++)
        agent.send({
          type: "text",
          partial: true,
          text: "And then we have to check the settings of the server again. ",
        });
    },
  },
  {
    name: "edits-and-takes-it-back",
    times: 6,
    play(agent) {
      for (let at = 0; at < 9; at++) {
        agent.step("edit_file", { path: "a.py", old: "limit = 3", new: "limit = 5" }, "The file was edited.");
        agent.step("bash", { command: "pytest" }, FAILURE, { error: true });
        agent.step("edit_file", { path: "a.py", old: "limit = 5", new: "limit = 3" }, "The file was edited.");
        if (!agent.step("bash", { command: "pytest" }, FAILURE, { error: true })) return;
      }
    },
  },
  { name: "a-world-that-stays-the-same", times: 4, play: measured(() => 1) },
  {
    name: "stopped-and-allowed-to-go-on-by-the-user",
    times: 4,
    play(agent) {
      equalReads(agent);
      agent.wait(60_000);
      agent.send({ type: "user", text: "Look into the settings instead." });
      agent.step("read_file", { path: "settings.py" }, textOf("settings.py"));
      for (let at = 0; at < 4; at++) agent.step("read_file", { path: "login.py" }, textOf("login.py"));
    },
  },
];
