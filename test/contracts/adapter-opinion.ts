import { type OpinionRequest, type SecondOpinionOptions, secondOpinion } from "doomloop/opinion";
import { describe, expect, it } from "vitest";
import { isFull } from "../campaign-size.ts";
import { countOf, textOf, visible, WORDS } from "./adapter-report.ts";
import { blankScript, loopScript, pageScript, QUICK, recordedTools } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

type Ask = SecondOpinionOptions["ask"];

/** An hour: a run that waits for an answer does not end in time. */
const TIMEOUT_MS = 3_600_000;

/**
 * What an adapter does with a second opinion.
 *
 * The doubtful run turns the pages of a blank book. No rule speaks about it; the guard asks about it once the eighth is turned.
 */
export function aSecondOpinion({ driver, unless }: AdapterUnderTest): void {
  const { abilities } = driver;

  /** A run whose questions go to `ask`, or one without a second opinion. */
  const run = async (ask: Ask | undefined, script = blankScript()) => {
    const { tools, executed } = recordedTools();
    const faults: unknown[] = [];
    const opinion = ask && { secondOpinion: secondOpinion({ ask, timeoutMs: TIMEOUT_MS }) };
    const options = { ...QUICK, ...opinion, onFault: (fault: unknown) => void faults.push(fault) };
    const report = await driver.wire(tools, options).run(script);
    return { report, executed, faults, seen: JSON.stringify(visible(report, executed)) };
  };

  describe("with a second opinion", () => {
    it("asks once about a doubtful run, with what the agent did in an excerpt", async () => {
      const asked: OpinionRequest[] = [];
      const { faults } = await run((request) => {
        asked.push(request);
        return '{"verdict":"working","since":null}';
      });

      expect(asked.map(({ question }) => question.why)).toEqual(["hunch"]);
      expect(asked[0]?.message).toContain("read_blank(");
      expect(asked[0]?.message).toContain("This page is blank.");
      expect(faults).toEqual([]);
    });

    unless("request", "shows what the user asked for", async () => {
      let excerpt = "";
      await run(({ message }) => {
        excerpt = message;
      });

      expect(excerpt).toContain("TASK: Where is it?\n");
    });

    if (abilities.nudge !== "none")
      it("tells the agent with the next result that it is stuck, and nothing else of the answer", async () => {
        let pages = 0;
        const { report } = await run(({ question }) => {
          pages = question.latest + 1;
          return '{"verdict":"stuck","since":0,"reason":"the judge talks"}';
        });

        const words = report.requests.map((request) => countOf(request, WORDS));
        // The first request comes before the first page.
        expect(words.indexOf(1)).toBe(pages + 1);
        expect(words.at(-1)).toBe(1);
        expect(textOf(report.requests.at(-1))).toContain("A review saw no progress");
        expect(textOf(report.requests.at(-1))).not.toContain("the judge talks");
      });

    if (driver.isCostly === true && !isFull) return;

    it.each<[string, Ask]>([
      ["hangs", () => new Promise(() => undefined)],
      ["throws", refuseToJudge],
      ["rejects", async () => refuseToJudge()],
      ["answers garbage", () => "The agent is stuck."],
      ["answers something else", () => ({ verdict: "stop" })],
      ["answers nothing", () => undefined],
    ])("goes on as without one, and waits for nothing, if the judge %s", async (how, ask) => {
      let questions = 0;
      const judged = await run((request, signal) => {
        questions++;
        return ask(request, signal);
      });

      expect(questions).toBeGreaterThan(0);
      expect(judged.seen).toBe((await run(undefined)).seen);
      expect(judged.faults).toHaveLength(how === "hangs" || how === "answers nothing" ? 0 : 1);
    });

    it("ends a clear loop at the same call if the judge says that it is work", async () => {
      const judged = await run(() => '{"verdict":"working","since":null}', loopScript());

      expect(judged.seen).toBe((await run(undefined, loopScript())).seen);
    });

    unless("concurrent", "keeps the questions of runs apart that happen at the same time", async () => {
      const asked: OpinionRequest[] = [];
      const ask: Ask = (request) => {
        asked.push(request);
        return '{"verdict":"stuck","since":0}';
      };
      const { tools } = recordedTools();
      const host = driver.wire(tools, { ...QUICK, secondOpinion: secondOpinion({ ask }) });
      const [, paged] = await Promise.all([host.run(blankScript()), host.run(pageScript())]);

      expect(asked).toHaveLength(1);
      expect(asked[0]?.message).not.toContain("read_page");
      expect(countOf(paged.requests.at(-1), WORDS)).toBe(0);
    });
  });
}

function refuseToJudge(): never {
  throw new Error("the judge is down");
}
