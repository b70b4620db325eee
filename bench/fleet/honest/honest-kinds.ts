import type { GuardOptions } from "../../../packages/doomloop/src/index.ts";

/** One call of a worker, and what comes of it. */
export interface WorkStep {
  readonly tool: string;
  readonly args: unknown;
  readonly output: string;
  readonly isError?: boolean;
  /** The time until the worker's next call. */
  readonly pauseMs?: number;
}

/** What a worker knows of itself while it works. */
export interface Worker {
  readonly number: number;
  readonly random: () => number;
  /** Milliseconds since the swarm began. */
  readonly now: () => number;
  /** What the workers of a kind share: a cache, a release. */
  readonly shared: Map<string, unknown>;
}

/** A kind of work that a swarm does honestly: nobody should be told that a call leads nowhere. */
export interface HonestKind {
  readonly title: string;
  readonly steps: (worker: Worker) => Iterable<WorkStep>;
}

const bash = (command: string, output: string, isError = false): WorkStep => ({
  ...{ tool: "bash", args: { command }, output, isError },
});
const fetch = (url: string, output: string, isError = false, pauseMs?: number): WorkStep => ({
  ...{ tool: "fetch", args: { url }, output, isError, ...(pauseMs !== undefined && { pauseMs }) },
});
const edit = (worker: Worker): WorkStep => ({
  ...{
    tool: "edit_file",
    args: { path: `src/a${worker.number}.ts`, text: `let x = ${worker.random()}` },
    output: "ok",
  },
});
const isOdd = ({ number }: Worker): boolean => number % 2 === 1;

export const honestKinds: readonly HonestKind[] = [
  {
    title: "all begin with git status, ls and README.md",
    steps: ({ number }) => [
      bash("git status", `On branch ${number}`),
      bash("ls", `README.md src ${number}`),
      bash("cat README.md", `# project ${number}`),
    ],
  },
  {
    title: "npm ci fails for one in a hundred, and works the second time",
    *steps({ number, random }) {
      if (random() < 0.01) yield bash("npm ci", "npm ERR! network timeout", true);
      yield bash("npm ci", `added 200 packages in ${number} ms`);
    },
  },
  {
    title: "the health of an own service, refused two to four times",
    *steps({ number }) {
      const url = "http://localhost:8080/health";
      for (let tries = 2 + (number % 3); tries > 0; tries--)
        yield fetch(url, "connect ECONNREFUSED 127.0.0.1:8080", true);
      yield fetch(url, '{"status":"ok"}');
    },
  },
  {
    title: "the same with curl, in a shell",
    *steps({ number }) {
      const command = "curl -sf http://localhost:8080/health";
      for (let tries = 2 + (number % 3); tries > 0; tries--) yield bash(command, "curl: (7) Failed to connect", true);
      yield bash(command, '{"status":"ok"}');
    },
  },
  {
    title: "AGENTS.md, which half of the repositories lack",
    steps: (worker) => [
      isOdd(worker)
        ? { tool: "read_file", args: { path: "AGENTS.md" }, output: "ENOENT: no such file or directory", isError: true }
        : { tool: "read_file", args: { path: "AGENTS.md" }, output: `# rules ${worker.number}` },
    ],
  },
  {
    title: "the build of an own repository fails, is mended, passes",
    steps: (worker) => [
      bash("npm run build", `src/a${worker.number}.ts(3,1): error TS2304: Cannot find name 'x'.`, true),
      edit(worker),
      bash("npm run build", `built in ${worker.number} ms`),
    ],
  },
  {
    title: "the tests of an own repository fail, are mended, pass",
    steps: (worker) => [
      bash("npm test", `1 failed: test ${worker.number}`, true),
      edit(worker),
      bash("npm test", "12 passed"),
    ],
  },
  {
    title: "which rg: it is missing, and grep is used",
    steps: ({ number }) => [
      bash("which rg", "exit code 1", true),
      bash(`grep -rn todo${number} src`, `src/a.ts:3: todo${number}`),
    ],
  },
  {
    title: "a note of an own notebook that half of the workers lack",
    steps: (worker) => [
      isOdd(worker)
        ? { tool: "get_note", args: { id: 3 }, output: "no such note", isError: true }
        : { tool: "get_note", args: { id: 3 }, output: `note of ${worker.number}` },
    ],
  },
  {
    title: "a database in an own network that half of the workers cannot reach",
    steps: (worker) => [
      isOdd(worker)
        ? fetch("http://db:8123/ping", "getaddrinfo ENOTFOUND db", true)
        : fetch("http://db:8123/ping", `ok ${worker.number}`),
    ],
  },
  {
    title: "a shared job that is pending five times, then done",
    *steps() {
      const url = "https://ci.example/jobs/nightly";
      for (let check = 0; check < 5; check++) yield fetch(url, '{"status":"pending"}', false, 4000);
      yield fetch(url, '{"status":"done"}');
    },
  },
  {
    title: "a shared lock that another worker holds for a while",
    *steps({ number }) {
      const url = "https://locks.example/deploy";
      for (let tries = number % 3; tries > 0; tries--)
        yield fetch(url, "the lock is held by another worker", true, 3000);
      yield fetch(url, `acquired by ${number}`);
    },
  },
  {
    title: "a shared API that limits rates: 429, then fine",
    *steps(worker) {
      const url = "https://api.example/v1/items";
      if (isOdd(worker)) yield fetch(url, "429 Too Many Requests", true, 2000);
      yield fetch(url, `items for ${worker.number}`);
    },
  },
  {
    title: "a shared deployment that is not ready for half a minute",
    *steps({ now, number }) {
      const url = "https://preview.example/app";
      while (now() < 30_000) yield fetch(url, "503 Service Unavailable", true, 5000);
      yield fetch(url, `welcome ${number}`);
    },
  },
  {
    title: "a shared API of which one call in a hundred fails, and is not tried again",
    steps: ({ number, random }) => [
      random() < 0.01
        ? fetch("https://flaky.example/v1/items", "500 Internal Server Error", true)
        : fetch("https://flaky.example/v1/items", `items ${number}`),
    ],
  },
  {
    title: "a shared API of which one call in twenty fails, and is not tried again",
    steps: ({ number, random }) => [
      random() < 0.05
        ? fetch("https://flakier.example/v1/items", "500 Internal Server Error", true)
        : fetch("https://flakier.example/v1/items", `items ${number}`),
    ],
  },
  {
    title: "a shared API of which one call in five fails, and is tried once more",
    *steps({ number, random }) {
      const url = "https://flakiest.example/v1/items";
      if (random() < 0.2) yield fetch(url, "500 Internal Server Error", true);
      yield random() < 0.2 ? fetch(url, "500 Internal Server Error", true) : fetch(url, `items ${number}`);
    },
  },
  {
    title: "a token that has expired for three workers in ten, who log in again",
    *steps({ number, random }) {
      const url = "https://api.example/v1/me";
      if (random() < 0.3) {
        yield fetch(url, "401 Unauthorized: the token has expired", true);
        yield { tool: "login", args: { as: `worker ${number}` }, output: `token ${number}` };
      }
      yield fetch(url, `you are ${number}`);
    },
  },
  {
    title: "a shared cache that is empty until the first worker has filled it",
    *steps({ number, now, shared }) {
      const url = "https://cache.example/index";
      const filledAt = shared.get("filled") as number | undefined;
      if (filledAt === undefined || filledAt > now()) {
        yield fetch(url, "404 Not Found", true, 2000);
        if (filledAt === undefined) shared.set("filled", now());
        yield { tool: "put_cache", args: { url, by: number }, output: "stored" };
      }
      yield fetch(url, `the index ${number}`);
    },
  },
  {
    title: "a page of the documentation that everyone reads twice",
    *steps({ number }) {
      yield fetch("https://docs.example/guide", "how to build, how to test, how to deploy");
      yield { tool: "read_file", args: { path: `a${number}.ts` }, output: `export const a = ${number}` };
      yield fetch("https://docs.example/guide", "how to build, how to test, how to deploy");
    },
  },
];

/** A kind of work that leads nowhere for every worker. */
export interface DeadEndKind {
  readonly title: string;
  readonly step: WorkStep;
  readonly options?: GuardOptions;
  /** The fleet takes the call for the worker's own, unless the host has a rule for the tool. */
  readonly isMissed?: boolean;
}

export const deadEndKinds: readonly DeadEndKind[] = [
  { title: "a page that is gone", step: fetch("https://docs.example/v2", "404 Not Found", true) },
  {
    title: "an API that nobody may use",
    step: fetch("https://api.example/admin", "403 Forbidden", true),
    isMissed: true,
  },
  {
    title: "a host that does not exist",
    step: fetch("https://old.example/x", "getaddrinfo ENOTFOUND old.example", true),
  },
  {
    title: "a service that always fails",
    step: fetch("https://api.example/report", "500 Internal Server Error", true),
  },
  { title: "a certificate that has expired", step: fetch("https://shop.example/", "CERT_HAS_EXPIRED", true) },
  {
    title: "a ticket that was deleted",
    step: {
      ...{
        tool: "get_ticket",
        args: { id: "6f9619ff-8b86-4011-b42d-00c04fc964ff" },
        output: "no such ticket",
        isError: true,
      },
    },
  },
  {
    title: "a repository that was renamed",
    step: { tool: "get_issue", args: { owner: "acme", repo: "old", number: 7 }, output: "Not Found", isError: true },
  },
  {
    title: "a search of the host's own, which it calls shared",
    step: { tool: "search_index", args: { query: "price of apples" }, output: "the index is corrupt", isError: true },
    options: { rules: { search_index: { fleet: "shared" } } },
  },
  {
    title: "a request that the service rejects",
    step: {
      tool: "http",
      args: { method: "POST", url: "https://api.example/v1/orders" },
      output: "422 invalid field",
      isError: true,
    },
  },
];
