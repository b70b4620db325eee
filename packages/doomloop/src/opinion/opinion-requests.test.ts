import { expect, it } from "vitest";
import { createGuard, step, times, user } from "../../../../test/builders.ts";
import { createOpinionRequests } from "./opinion-requests.ts";
import { guardWith, secondOpinion } from "./second-opinion.ts";

const mail = step("send_mail", { to: "kim" }, "sent");

it("numbers the calls as a guard does that has seen more of them", () => {
  const before = createGuard({ questions: 12 });
  for (let page = 0; page < 17; page++)
    for (const event of step("read_page", { page }, `page ${page} is about ${"abcdefghijklmnopq"[page]!.repeat(9)}`))
      before.observe(event);
  const guard = createGuard({ questions: 12, snapshot: before.snapshot() });
  const requests = createOpinionRequests("text");
  const [asked] = [user("Ask Kim."), ...times(9, mail)].flatMap((event) => {
    requests.take(event);
    const { question } = guard.observe(event);
    return question === undefined ? [] : [{ question, request: requests.requestFor(question) }];
  });

  expect(asked?.question.latest).toBeGreaterThan(17);
  expect(asked?.request?.message).toContain(`SO FAR: ${asked!.question.latest + 1} calls`);
  expect(asked?.request?.message).toContain("#17 send_mail");
});

it("asks nothing where almost nothing was seen of what the question is about", () => {
  const requests = createOpinionRequests("text");
  for (const event of mail) requests.take(event);
  const about = { id: 1, why: "patrol", until: 40 } as const;

  expect(requests.requestFor({ ...about, since: 10, latest: 19 })).toBeUndefined();
  expect(requests.requestFor({ ...about, since: 19, latest: 19 })).toBeDefined();
});

it("asks one question at a time", async () => {
  let open = 0;
  let most = 0;
  const ask = async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open--;
    return '{"verdict":"unsure"}';
  };
  const guard = guardWith(secondOpinion({ ask }), createGuard);
  for (let at = 0; at < 200; at++)
    for (const event of step("read_page", { page: at }, `page ${at} of many`)) guard.observe(event);

  expect(guard.stats().opinions.asked).toBeGreaterThan(1);
  expect(most).toBe(1);
});
