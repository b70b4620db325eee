import { bash, edit, grep, read, type SampleSession, times } from "./turn.ts";

const FAILING = `FAIL src/cart.test.ts > adds up the cart
TypeError: Cannot read properties of undefined (reading 'price')
    at total (src/cart.ts:14:22)
Tests  1 failed | 12 passed`;

const FAILING_OTHERWISE = `FAIL src/cart.test.ts > adds up the cart
AssertionError: expected NaN to be 42
    at src/cart.test.ts:1:52
Tests  1 failed | 12 passed`;

const CART =
  "export function total(items: readonly Item[]): number {\n  return items.reduce((sum, item) => sum + item.price, 0);\n}\n";

/** Runs a failing test again and again, and reads the same file in between. Nothing is changed. */
const failingTest: SampleSession = {
  id: "5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c101",
  project: "shop",
  model: "claude-sonnet-4-5",
  begin: "2026-11-09T21:14:03.000Z",
  prompt: "Make the cart test pass.",
  turns: [
    bash("git status --short", " M src/cart.ts\n"),
    read("shop/src/cart.test.ts", "it('adds up the cart', () => expect(total(load('cart.json'))).toBe(42));\n"),
    read("shop/src/cart.ts", CART),
    ...times(14, bash("npm test", FAILING, { error: true })),
    edit("shop/src/cart.ts", "item.price", "item?.price"),
    bash("npm test", FAILING_OTHERWISE, { error: true }),
  ],
  lastWords: "The test still fails. I could not find the reason.",
};

/** Two searches in turn, which find nothing, lap after lap. */
const searching: SampleSession = {
  id: "01997d1e-5b3c-7c02-8a44-2f6f0a9d5102",
  project: "api",
  model: "gpt-5",
  begin: "2026-11-11T02:30:40.000Z",
  prompt: "Find where the session cookie is set.",
  turns: [
    read("api/src/server.ts", "import { router } from './router.ts';\nlisten(router);\n"),
    ...times(
      9,
      grep("setCookie", "No matches found"),
      bash("ls src/session", "ls: cannot access 'src/session': No such file or directory", { error: true }),
    ),
  ],
  lastWords: "I found nothing.",
};

/** Looks at a rollout every half minute. That is waiting, not a loop. */
const waiting: SampleSession = {
  id: "5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c103",
  project: "shop",
  model: "claude-sonnet-4-5",
  begin: "2026-11-12T09:02:11.000Z",
  prompt: "Roll out the new version and tell me when it is up.",
  turns: [
    bash("kubectl apply -f shop.yaml", "deployment.apps/shop configured"),
    ...times(10, bash("kubectl get pods -l app=shop", "shop-7d9f   0/1   ContainerCreating", { afterSeconds: 30 })),
    bash("kubectl get pods -l app=shop", "shop-7d9f   1/1   Running", { afterSeconds: 30 }),
  ],
  lastWords: "The new version is up.",
};

/** Tests after every edit, each with another outcome. That is work. */
const working: SampleSession = {
  id: "5f0c2a71-6d1e-4c55-9d0b-3a1f5be0c104",
  project: "blog",
  model: "claude-sonnet-4-5",
  begin: "2026-11-13T15:40:55.000Z",
  prompt: "Sort the posts by day.",
  turns: [
    read("blog/src/posts.ts", "export const posts = load();\n"),
    ...[5, 3, 1].flatMap((failures) => [
      edit("blog/src/posts.ts", `step ${failures}`, `step ${failures - 1}`),
      bash("npm test", `Tests  ${failures} failed | ${13 - failures} passed`, { error: true }),
    ]),
    edit("blog/src/posts.ts", "load()", "load().sort(byDay)"),
    bash("npm test", "Tests  13 passed"),
  ],
  lastWords: "The posts are sorted, and all tests pass.",
};

export const claudeCodeSessions: readonly SampleSession[] = [failingTest, waiting, working];
export const codexSessions: readonly SampleSession[] = [searching];
