import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decisionsOf, step, text, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { CoreGuard } from "../guard.ts";
import { createIntent, hearAgent, hearUser, intentOf, settleIntent } from "./stated-intent.ts";

/** What is understood of a user's words. */
const asked = (words: string | undefined) => {
  const intent = createIntent();
  hearUser(intent, words);
  return intentOf(intent);
};
/** Whether an agent's words, one after the other, say that it waits. */
const waits = (...words: string[]) => {
  const intent = createIntent();
  for (const said of words) hearAgent(intent, said);
  return intentOf(intent).isWaiting;
};

describe("what a user asks for", () => {
  it.each<[string, number]>([
    ["Roll the die 25 times and tell me the mean.", 25],
    ["Do it three times, please.", 3],
    ["Call the tool for each of the 12 rooms.", 12],
    ["Check all twelve screens.", 12],
    ["Run 5 samples, then 30 steps.", 30],
    ["Würfle bitte 10 mal.", 10],
    ["Hazlo 5 veces.", 5],
    ["Fais-le 3 fois.", 3],
    ["これを10回繰り返して", 10],
    ["Do it 5000 times.", 100],
  ])("is so many times: %s", (words, expected) => {
    expect(asked(words).times).toBe(expected);
  });

  it.each([
    "Fix the bug in line 42.",
    "Add 3 files.",
    "Use port 8080 and version 2.0.",
    "It failed at times.",
    "Add it sometimes.",
    "Повтори это двадцать раз.",
    "",
  ])("is no number of times: %j", (words) => {
    expect(asked(words).times).toBe(0);
  });

  it.each([
    "Keep checking until the deploy is done.",
    "Please monitor the queue.",
    "Tell me when it is over.",
    "Let me know when the build has passed.",
    "Look at it every minute.",
    "Warte, bis der Server läuft.",
    "Espera un momento.",
    "Attends la fin.",
    "終わるまで待って",
  ])("is to watch or to wait: %s", (words) => {
    expect(asked(words).isWatching).toBe(true);
  });

  it.each([
    "Fix the failing test.",
    "Write an essay about waiters.",
    "Подожди, пока сервер запустится.",
    "",
    undefined,
  ])("is neither: %j", (words) => {
    expect(asked(words)).toMatchObject({ times: 0, isWatching: false });
  });

  it("is over when the user speaks again", () => {
    const intent = createIntent();
    hearUser(intent, "Keep checking until it is done, 30 times.");
    hearAgent(intent, "I am waiting for it.");
    expect(intentOf(intent)).toMatchObject({ times: 30, isWatching: true, isWaiting: true });
    hearUser(intent, "Now fix the test.");

    expect(intentOf(intent)).toEqual(createIntent());
  });

  it("is read at both ends of a long text", () => {
    const filling = "and some more of what there is to say about it. ".repeat(200);

    expect(asked(`Do it 25 times: ${filling}`).times).toBe(25);
    expect(asked(`${filling} Do it 25 times.`).times).toBe(25);
    expect(asked(`${filling} Do it 25 times. ${filling}`).times).toBe(0);
  });

  it("is a number from 0 to 100, whatever the words", () => {
    const word = fc.oneof(fc.string(), fc.constantFrom("times", "all", "1e9", "-5", "99999999999", "twelve", "回"));
    const property = fc.property(fc.array(word), (words) => {
      const { times: often } = asked(words.join(" "));

      expect(Number.isInteger(often) && often >= 0 && often <= 100).toBe(true);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("what an agent says", () => {
  it.each([
    "The build is still running.",
    "I will wait for it and check again.",
    "It is not ready yet.",
    "Give it a minute.",
  ])("is that it waits: %s", (words) => {
    expect(waits(words)).toBe(true);
  });

  it.each(["Let me read the file.", "Build beendet.", ""])("is something else: %j", (words) => {
    expect(waits(words)).toBe(false);
  });

  it("is its latest words, when somebody asks", () => {
    expect(waits("I am waiting for it.", "Now I fix the test.")).toBe(false);
    expect(waits("Now I fix the test.", "I am waiting for it.")).toBe(true);
  });

  it("holds until the user speaks, once somebody has asked", () => {
    const intent = createIntent();
    hearAgent(intent, "I am waiting for it.");
    intentOf(intent);
    hearAgent(intent, "Still nothing to see.");

    expect(intentOf(intent).isWaiting).toBe(true);
  });

  it("is read only once, and says nothing of what the user wants", () => {
    const intent = createIntent();
    hearUser(intent, "Fix the test.");
    hearAgent(intent, "I keep checking until it is done, all 12 of them.");

    expect(intentOf(intent)).toEqual(createIntent());
    expect(intent).toMatchObject({ request: undefined, said: undefined });
  });
});

describe("words at rest", () => {
  it("are not kept", () => {
    const guard = createGuard() as CoreGuard;
    const events = [
      user("Keep checking the secret until it is done."),
      text("I wait for the secret."),
      ...step("look", {}, "x"),
    ];
    for (const event of events) {
      guard.observe(event);

      expect(JSON.stringify(guard.snapshot())).not.toContain("secret");
    }
  });

  it("are the same to whoever asks later, though they were put to rest in between", () => {
    const said = fc.constantFrom("I am waiting for it.", "Now I fix the test.", "ask");
    const property = fc.property(fc.array(said), (words) => {
      const [plain, settled] = [createIntent(), createIntent()];
      hearUser(plain, "Do it 5 times.");
      hearUser(settled, "Do it 5 times.");
      for (const word of words) {
        settleIntent(settled);
        if (word === "ask") expect(intentOf(settled)).toEqual(intentOf(plain));
        else for (const intent of [plain, settled]) hearAgent(intent, word);
      }
      expect(intentOf(settled)).toEqual(intentOf(plain));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("a guard that is saved between an agent's words", () => {
  it("decides as if it were not", () => {
    const words = [user("Run it."), text("I am waiting for the job."), text("Let me look.")];
    const decided = (isSaved: boolean) => {
      const guard = createGuard();
      return [...words, ...times(40, step("get_job", { id: 7 }, "status: running"))].map((event) => {
        if (isSaved) guard.snapshot();
        return guard.observe(event).action;
      });
    };

    expect(decided(false)).toContain("nudge");
    expect(decided(true)).toEqual(decided(false));
  });
});

describe("a guard that was told what to expect", () => {
  const firstWords = (request: string, ...events: Parameters<typeof decisionsOf>[0]) =>
    decisionsOf([user(request), ...events])[0]?.at ?? Number.POSITIVE_INFINITY;

  it("leaves an act alone that was announced so often", () => {
    const press = times(40, step("press_button", { name: "next" }, "ok"));

    expect(firstWords("Press the button 30 times.", ...press)).toBeGreaterThan(2 * 30);
    expect(firstWords("Press the button.", ...press)).toBeLessThan(2 * 20);
    expect(firstWords("Нажми кнопку тридцать раз.", ...press)).toBe(firstWords("Press the button.", ...press));
  });

  it("leaves more looks to an agent that was asked to keep checking", () => {
    const look = times(60, step("get_job", { id: 7 }, "status: running"));

    expect(firstWords("Keep checking until the job is done.", ...look)).toBeGreaterThan(
      2 * firstWords("Run the job.", ...look),
    );
  });

  it("still tells what fails the same way, however often it was announced", () => {
    const fails = times(30, step("read_file", { path: "a.ts" }, "no such file", { error: true }));

    expect(firstWords("Read it 30 times.", ...fails)).toBeLessThan(2 * 5);
  });
});
