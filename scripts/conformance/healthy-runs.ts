import type { Script, ScriptedAgent } from "./played-run.ts";

const FILES = ["app.py", "login.py", "models.py", "views.py", "urls.py", "forms.py", "tasks.py", "admin.py"];
const CITIES = ["Lima", "Oslo", "Kyoto", "Accra", "Porto", "Quito", "Turin", "Hanoi", "Leeds", "Perth"];

/** The text of a made-up file, longer than what would say nothing. */
export function textOf(file: string, lines = 5): string {
  return Array.from(
    { length: lines },
    (_, at) => `${at + 1}: def ${file.replace(".", "_")}_${at}(value, other=None):`,
  ).join("\n");
}

/** Work that repeats itself for a reason, and work that does not repeat itself. Nothing is said in any of them. */
export const healthyRuns: readonly Script[] = [
  {
    name: "reads-and-edits",
    times: 8,
    hasRounds: true,
    play(agent) {
      for (const file of FILES.slice(0, 4 + agent.draw(4))) {
        agent.step("read_file", { path: file }, textOf(file, 3 + agent.draw(3)));
        agent.step("edit_file", { path: file, line: agent.draw(5), text: `value = ${agent.draw(1000)}` }, "ok");
      }
      agent.step("run_tests", {}, "12 passed in 3.20 s", { error: false });
    },
  },
  {
    name: "tests-after-every-edit",
    times: 8,
    play(agent) {
      const failures = 4 + agent.draw(5);
      for (let left = failures; left >= 0; left--) {
        const isDone = left === 0;
        agent.step("bash", { command: "pytest -q" }, isDone ? "9 passed" : `${left} failed: test_${left} is wrong`, {
          error: !isDone,
          tookMs: 4_000,
        });
        if (!isDone)
          agent.step("edit_file", { path: agent.pick(FILES), text: `fix number ${left}` }, "The file was edited.");
      }
    },
  },
  {
    name: "pages-of-a-list",
    times: 8,
    play(agent) {
      const pages = 8 + agent.draw(8);
      for (let page = 1; page <= pages; page++)
        agent.step("list_orders", { page }, { page, orders: [page * 10 + 1, page * 10 + 2, page * 10 + 3] });
    },
  },
  {
    name: "looks-at-a-job-now-and-then",
    times: 8,
    play(agent) {
      const looks = 5 + agent.draw(8);
      for (let look = 0; look < looks; look++) {
        agent.wait(20_000 + agent.draw(20_000));
        agent.step("get_job", { id: 4711 }, { status: "running", note: "The job is still running." });
      }
      agent.wait(20_000);
      agent.step("get_job", { id: 4711 }, { status: "done" });
    },
  },
  {
    name: "one-question-after-the-other",
    times: 8,
    hasRounds: true,
    play(agent) {
      for (const city of CITIES.slice(0, 3 + agent.draw(3))) {
        agent.send({ type: "user", text: `What can I do in ${city}?` });
        agent.step("opening_hours", { of: "museum" }, "The museums are open from nine to five, except on Mondays.");
        agent.wait(3_000);
        agent.send({ type: "text", text: `In ${city}, go to the museum.` });
      }
    },
  },
  {
    name: "votes-in-one-answer",
    times: 6,
    hasRounds: true,
    play(agent) {
      agent.wait(3_000);
      agent.send({ type: "round" });
      const ids = Array.from({ length: 4 + agent.draw(4) }, (_, at) => `vote-${at}`);
      for (const id of ids) agent.send({ type: "call", id, tool: "ask_expert", args: { question: "Is this safe?" } });
      agent.wait(900);
      for (const id of ids)
        agent.send({ type: "result", id, output: "Yes, as far as I can see, this change is safe." });
    },
  },
  {
    name: "searches-that-find-something-else",
    times: 8,
    play(agent) {
      for (const city of CITIES.slice(0, 6 + agent.draw(4)))
        agent.step("search", { q: `hotels in ${city}` }, `Grand Hotel ${city}, Hotel ${city} Central, Little Inn`);
    },
  },
  {
    name: "reads-again-after-a-compaction",
    times: 6,
    play(agent) {
      const plan = "1. read the orders\n2. check the totals\n3. write the report\n4. send it to the team";
      for (let part = 0; part < 3 + agent.draw(3); part++) {
        agent.step("read_file", { path: "plan.md" }, plan);
        agent.step("read_file", { path: `part-${part}.md` }, textOf(`part-${part}.md`));
        agent.send({ type: "compaction" });
      }
    },
  },
  {
    name: "a-world-that-the-host-measures",
    times: 6,
    play: measured((at) => at),
  },
];

/** Equal calls, with the host's own measure of the world between them. */
export function measured(worldAt: (at: number) => number): (agent: ScriptedAgent) => void {
  return (agent) => {
    const button = agent.pick(["next", "more", "refresh"]);
    for (let at = 0; at < 9; at++) {
      const goesOn = agent.step("press", { button }, "The button was pressed, and the page reacted to it as usual.");
      agent.send({ type: "state", key: "page", value: worldAt(at) });
      if (!goesOn) return;
    }
  };
}
