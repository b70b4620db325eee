import type { Script } from "./played-run.ts";

const MAIL =
  "Dear team, the figures of last week are attached. Please have a look at them before Friday. Best wishes, Kim";

/** Values and orders that clients get wrong: objects, cut outputs, arguments as text, results out of order, tool rules, opinions. */
export const oddRuns: readonly Script[] = [
  {
    name: "arguments-as-text-or-object",
    times: 2,
    play(agent) {
      for (let at = 0; at < 8; at++)
        agent.step("read_mail", at % 2 === 0 ? '{"box": "in", "n": 1}' : { n: 1, box: "in" }, MAIL);
    },
  },
  {
    name: "outputs-that-are-objects",
    times: 2,
    play(agent) {
      for (let at = 0; at < 6; at++) {
        const [first, second] = [
          { subject: "figures", text: MAIL },
          { subject: "lunch", isRead: null, size: 1.5e300 },
        ];
        agent.step("read_mail", { box: "in" }, at % 2 === 0 ? { first, second } : { second, first });
      }
    },
  },
  {
    name: "outputs-that-were-cut",
    times: 2,
    play(agent) {
      for (let at = 0; at < 6; at++) {
        agent.wait(4_000);
        agent.send({ type: "call", id: `${at}`, tool: "fetch", args: { url: "https://shop.example/" } });
        const output = `${MAIL.slice(0, 60 + at)}\n[cut]`;
        agent.send({ type: "result", id: `${at}`, output, digest: "c".repeat(64), length: 900_000 });
      }
    },
  },
  {
    name: "results-out-of-order",
    times: 2,
    play(agent) {
      for (let at = 0; at < 5; at++) {
        agent.wait(5_000);
        const ids = ["a", "b", "c"];
        for (const id of ids) agent.send({ type: "call", id, tool: "look_up", args: { id } });
        agent.wait(300);
        for (const id of ids.toReversed()) agent.send({ type: "result", id, output: `${MAIL} (${id})` });
      }
    },
  },
  {
    name: "results-without-ids",
    times: 2,
    play(agent) {
      for (let at = 0; at < 6; at++) {
        agent.wait(5_000);
        agent.send({ type: "call", tool: "read_mail", args: { box: "in" } });
        agent.send({ type: "result", output: MAIL });
      }
    },
  },
  {
    name: "calls-that-were-cancelled",
    times: 2,
    play(agent) {
      for (let at = 0; at < 8; at++) {
        agent.wait(5_000);
        agent.send({ type: "call", id: `${at}`, tool: "read_mail", args: { box: "in" } });
        agent.send({ type: "result", id: `${at}`, cancelled: true });
      }
    },
  },
  {
    name: "characters-of-all-kinds",
    times: 2,
    play(agent) {
      const args = { ключ: "värde \u{1f600} \u0000 \u2028 \ud800", list: [[], {}, null, -0.5, true] };
      for (let at = 0; at < 5; at++) agent.step("søk", args, `${MAIL} \u{1f680} «ok» \ud800`);
    },
  },
  {
    name: "a-tool-that-polls",
    times: 2,
    options: { rules: { check_job: { poll: true } } },
    play(agent) {
      for (let at = 0; at < 8; at++)
        agent.step("check_job", { id: 1 }, "The job is at the same place in the queue as before.");
    },
  },
  {
    name: "a-tool-that-is-ignored",
    times: 2,
    options: { rules: { read_mail: { ignore: true } } },
    play(agent) {
      for (let at = 0; at < 8; at++) agent.step("read_mail", { box: "in" }, MAIL);
    },
  },
  {
    name: "a-tool-that-must-not-run-twice",
    times: 1,
    options: { rules: { pay: { repeat: "never" } } },
    play(agent) {
      for (let at = 0; at < 3; at++) agent.step("pay", { invoice: 17, amount: 20 }, "paid");
      agent.step("pay", { invoice: 18, amount: 20 }, "paid");
    },
  },
  {
    name: "thoughts-in-circles",
    times: 1,
    play(agent) {
      for (let at = 0; at < 30; at++)
        agent.send({
          type: "reasoning",
          text: "Wait, the total should be the sum of all rows. Let me check it once more. ",
        });
    },
  },
  ...(["stuck", "working"] as const).map(
    (verdict): Script => ({
      name: `questions-answered-with-${verdict}`,
      times: 1,
      options: { questions: 12 },
      play(agent) {
        for (let at = 0; at < 14; at++) {
          agent.wait(5_000);
          agent.send({ type: "call", id: `${at}`, tool: "send_mail", args: { to: "kim" } });
          const { question } = agent.send({ type: "result", id: `${at}`, output: "sent" });
          if (question !== undefined) agent.send({ type: "opinion", question: question.id, verdict });
        }
      },
    }),
  ),
];
