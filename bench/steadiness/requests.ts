/** What people and programs write around a request. `{}` stands for the request itself. Each has a word that a guard may take for more than it says. */
export const requests: readonly (readonly [name: string, text: string])[] = [
  ["every test", "{} Make sure every test passes before you finish."],
  ["each function", "{} Each public function needs a comment."],
  ["until it works", "{} Keep at it until everything works."],
  ["until last week", "{} This was fine until we updated the library."],
  ["while", "{} It happens while two people save at once."],
  ["a rate", "{} The service allows 60 calls per minute."],
  ["retries", "{} Clients retry 50 times before they give up."],
  ["a load test", "{} A load test with 200 runs found it."],
  ["tried", "{} I have tried this 4 times now."],
  ["watch out", "{} Watch out for the old configuration."],
  ["wait", "{} The worker has to wait for the lock."],
  ["minutes", "{} I have a meeting in 15 minutes."],
  ["hours", "{} This has cost us three hours already."],
  ["let me know", "{} Let me know what you find."],
  ["items", "{} There are 30 rows and 12 columns in the report."],
  ["polite", "Hello, could you please help me with this? {} Thank you so much, and one step at a time please!"],
  ["strict", "{} Check your work carefully, again and again if you must. Never give up."],
  ["German", "Kannst du das bitte erledigen? {} Jeder Schritt muss stimmen, ich habe es 3 Mal versucht."],
  ["Spanish", "Necesito ayuda con esto: {} Cada prueba debe pasar, y ya lo intenté 3 veces."],
  ["French", "J'ai besoin d'aide : {} Chaque test doit passer, j'ai déjà essayé 3 fois."],
  ["Japanese", "次の件をお願いします。{} 毎回確認しました。3回失敗しています。"],
  ["Chinese", "请帮我处理: {} 每一步都要正确，我已经试了三次。"],
  [
    "a ticket",
    "{}\n\nTicket SHOP-118, priority high\n1. Open the cart and press Next 3 times.\n2. Wait until the total appears.\nActual: it keeps loading, each time.\nExpected: all 40 rows within 2 seconds.\n- mia: seen 5 times today, let me know when you need logs.",
  ],
  [
    "a specification",
    "{}\n\n1. Every client may send 100 requests per minute.\n2. After that it should retry up to 50 times, until the window is over.\n3. Counters live for 10 minutes; a sweep runs every 24 hours.\n4. The limiter polls the store every 5 seconds.",
  ],
  [
    "a stack trace",
    "{}\n\nError: connect ETIMEDOUT 10.0.0.4:5432\n    at retry (/app/src/retry.ts:22:14)\n    at async Poller.waitFor (/app/src/poll.ts:61:3)\n  attempt 50 of 50, gave up after 300 seconds",
  ],
  [
    "rules of a repository",
    `# AGENTS.md\n\n- Run the linter after each change, and all tests before you commit.\n- The queue is polled every 5 seconds until it is empty; jobs run at most 24 times.\n- Wait for CI. Don't merge while it is red. Retry flaky uploads 3 times.\n- Read the files again if you are not sure what they contain.\n${Array.from({ length: 60 }, (_, at) => `- Module ${at} has ${3 + (at % 7)} parts, and each of them its own test.`).join("\n")}\n\n{}`,
  ],
  [
    "a system prompt",
    "You are an autonomous agent. Keep going until the request is completely resolved. You may take up to 50 steps. If a tool fails, try again up to 3 times. Poll jobs that take long until they finish.\n\nRequest: {}",
  ],
  [
    "a task as JSON",
    '{"task": "{}", "maxSteps": 100, "timeoutMinutes": 30, "retries": 3, "notify": "once it is done"}',
  ],
  [
    "a chat",
    "[9:02] kim: it fails every time, 7 times in a row\n[9:05] lee: let's watch it for the next 2 hours\n[9:30] kim: @agent {}",
  ],
];

/** What harnesses say as the user before an answer of the model. */
export const reminders: readonly (readonly [name: string, text: (round: number) => string])[] = [
  ["continue", () => "Continue."],
  ["proceed", () => "Please proceed with the next step. If you are done, use the finish tool."],
  ["counted", (round) => `Step ${round} of 100. Continue with your task.`],
  ["not finished", () => "You have not finished yet. Work on every open item, and wait for their results."],
];
