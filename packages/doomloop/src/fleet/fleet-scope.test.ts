import { describe, expect, it } from "vitest";
import { isRemoteFailure, scopeOf } from "./fleet-scope.ts";

const url = (address: string): [string, unknown] => ["fetch", { url: address }];

describe("whose world a call is about", () => {
  it.each<[string, unknown]>([
    url("https://docs.example/v2"),
    url("http://docs.example:8080/v2?q=1#top"),
    url("https://user@api.example.com/x"),
    url("https://xn--bcher-kva.example/"),
    url("wss://stream.example.com"),
    url("postgres://reader@db.example.com:5432/orders"),
    ["fetch", "https://docs.example/v2"],
    ["http_request", { method: "GET", request: { url: "https://api.example.com/items" } }],
    ["crawl", { urls: ["https://a.example", "https://b.example"] }],
    ["browser_navigate", { url: "https://shop.example" }],
    ["fetch", { url: "https://docs.example", max_length: 5000, raw: false, cursor: null, reason: "to learn" }],
    ["browser", { action: "goto", target: "https://docs.example" }],
    ["WebFetch", { url: "https://docs.example", prompt: "How many retries?" }],
    ["http", ["GET", "https://docs.example"]],
    url("https://docs.example/self-hosted/user-guide/account-setup"),
    url("https://docs.example/en/latest/mycology.html"),
  ])("is that of all workers: %s %j", (tool, args) => {
    expect(scopeOf(tool, args)).toBe("address");
  });

  it.each<[string, unknown]>([
    url("http://localhost:8080/health"),
    url("http://app.localhost:3000"),
    url("http://127.0.0.1:8080"),
    url("http://2130706433/"),
    url("http://[fe80::1]/"),
    url("http://10.1.2.3/"),
    url("https://93.184.216.34/"),
    url("https://[2606:2800:220:1:248:1893:25c8:1946]/"),
    url("http://169.254.169.254/latest/meta-data/"),
    url("http://db:5432"),
    url("http://host.docker.internal:8080"),
    url("http://api.default.svc.cluster.local/"),
    url("https://myapp.test/login"),
    url("http://127.0.0.1.nip.io/"),
    url("file:///etc/hosts"),
    url("not an address"),
    url("s3://bucket/key"),
    ["get_issue", { owner: "acme", repo: "web", issue_number: 7 }],
    ["http", { url: "https://docs.example", headers: { Accept: "text/html" } }],
    ["read_file", { path: "AGENTS.md" }],
    ["bash", { command: "which rg" }],
    ["bash", { command: "curl -sf https://api.example.com/health" }],
    ["python", { code: "requests.get('https://api.example.com')" }],
    ["browser_click", { ref: "e12" }],
    ["search", { query: "login bug" }],
    ["get_item", { id: 3 }],
    ["note", { text: "see https://docs.example/v2 for more" }],
    ["download", { url: "https://files.example/a.zip", path: "a.zip" }],
    ["proxy", { from: "https://api.example.com", to: "http://localhost:3000" }],
    ["http_get", { url: "https://api.example/x", cwd: "/app" }],
    ["http", { url: "https://api.example/x", headers: { Authorization: "Bearer x" } }],
    ["http", { method: "POST", url: "https://api.example/x", body: { name: "x" } }],
    ["git_clone", { repository: "https://github.com/acme/x.git", directory: "/work" }],
    ["git", { args: ["clone", "https://github.com/acme/x.git", "."] }],
    ["git_add_remote", { name: "origin", url: "https://github.com/acme/x.git" }],
    ["browser_click", { element: "Sign in", href: "https://app.example/signin" }],
    ["navigate", { tab: 3, url: "https://app.example" }],
    ["validate", { $schema: "https://json-schema.org/draft/2020-12/schema", value: 1 }],
    ["resume", { session_id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" }],
    ["describe_queue", { name: "arn:aws:sqs:eu-west-1:000000000000:jobs" }],
    ["read", { uri: "attachment://report.pdf" }],
    ["pip_install", { package: "git+https://github.com/acme/lib.git" }],
    url("http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/jobs"),
    url("http://app-10-0-0-7.sslip.io/"),
    url("https://graph.example.com/v1.0/me/drive"),
    url("https://api.example.com/users/@me/guilds"),
    url("https://api.example.com/users/self"),
    url("https://api.example.com/items?user=me"),
    url("https://shop.example.com/my-orders"),
    url("https://my.shop.example.com/orders"),
    url("https://api.example.com/currentUser"),
    url("https://api.example.com/~/notes"),
    url("https://api.github.com/user/installations/1"),
    url("https://api.example.com/runs/latest"),
    url("https://ada:tea@api.example.com/orders/7"),
    url("https://api.example.com/orders/7?api_key=k7"),
    url("https://files.example.com/a.pdf?X-Amz-Signature=ab12"),
    url("https://box.tail1234.ts.net/a"),
    ["get_file_contents", { owner: "me", repo: "web", path: "a.ts" }],
    ["ping", {}],
  ])("is the worker's own, or in doubt: %s %j", (tool, args) => {
    expect(scopeOf(tool, args)).toBe("own");
  });

  it("does not run a getter, and reads a bounded part of large arguments", () => {
    const args = Object.defineProperty({}, "url", {
      enumerable: true,
      get: () => {
        throw new Error("run");
      },
    });
    const deep = { a: { b: { c: { url: "https://docs.example" } } } };
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, "x".repeat(50)]));

    for (const each of [args, deep, wide]) expect(scopeOf("fetch", each)).toBe("own");
  });
});

describe("a failure of an address", () => {
  it.each([
    "404 Not Found",
    "HTTP 410 Gone",
    "Request failed with status code 404",
    '{"status":404,"error":"Not Found"}',
    "404: Cannot GET /v2",
    "500 Internal Server Error",
    "404 Client Error: Not Found for url: https://docs.example/files/local.html",
    `<html><head><title>404 Not Found</title></head>\n<body>${"<p>Try the search.</p>\n".repeat(40)}</body></html>`,
    "net::ERR_ABORTED 404 at https://docs.example/old",
    "AxiosError: Request failed with status code 404",
    "An error occurred (404) when calling the HeadObject operation: Not Found",
    "wget: server returned error: HTTP/1.1 404 Not Found",
  ])("may be that of all workers: %j", (text) => {
    expect(isRemoteFailure(text)).toBe(true);
  });

  it.each([
    "fatal: destination path '/work' already exists and is not an empty directory.",
    "EACCES: permission denied, open 'package.json'",
    "bash: wget: command not found",
    "404: file not found: screenshot.png",
    "Error: no such session in this sandbox",
    "OSError: [Errno 28] No space left on device",
    "connect ECONNREFUSED 203.0.113.7:443",
    "getaddrinfo ENOTFOUND egress.corp-proxy.com",
    "Temporary failure in name resolution",
    "401 Unauthorized",
    "403 Forbidden (squid/5.7): access to this site is blocked by the administrator",
    "404: your cart was not found",
    "404 Not Found: no task for you right now",
    "something went wrong",
    "429 Too Many Requests",
    '{"status":404,"error":"session_not_found"}',
    "404: nothing is planned for today",
    "410 Gone: the link was already used",
    "404 page not found: http://localhost:3000/health",
    "404: no such API key",
    "404 您的会话已过期",
    "404: ваша корзина устарела",
    `404 Not Found\n${"您的会话已过期，请重新登录".repeat(100)}`,
    "SessionError: 404 Not Found",
    "DraftNotFoundError: Request failed with status code 404",
  ])("may be about the one who asks: %j", (text) => {
    expect(isRemoteFailure(text)).toBe(false);
  });
});
