import { describe, expect, it } from "vitest";
import { readCall } from "../core/progress/read-call.ts";
import { platform } from "../platform.ts";
import { fleetCallOf } from "./call-fingerprint.ts";
import { scopeOf as scopeByReading } from "./fleet-scope.ts";

const scopeOf = (tool: string, args: unknown) => fleetCallOf({ type: "call", tool, args }, platform)?.scope;

const url = (address: string): [string, unknown] => ["fetch", { url: address }];

describe("whose world a call is about", () => {
  it.each<[string, unknown]>([
    url("https://docs.example/v2"),
    url("http://docs.example:8080/v2?q=1#top"),
    url("https://user@api.example.com/x"),
    url("https://xn--bcher-kva.example/"),
    url("wss://stream.example.com"),
    url("https://93.184.216.34/"),
    url("https://[2606:2800:220:1:248:1893:25c8:1946]/"),
    url("postgres://reader@db.example.com:5432/orders"),
    url("s3://bucket/key"),
    ["fetch", "https://docs.example/v2"],
    ["http_request", { method: "GET", request: { url: "https://api.example.com/items" } }],
    ["crawl", { urls: ["https://a.example", "https://b.example"] }],
    ["browser_navigate", { url: "https://shop.example" }],
    ["get_ticket", { id: "6f9619ff-8b86-4011-b42d-00c04fc964ff" }],
    ["get_issue", { owner: "acme", repo: "web", issue_number: 7 }],
    ["get_file_contents", { owner: "acme", repo: "web", path: "src/a.ts" }],
    ["fetch", { url: "https://docs.example", max_length: 5000, raw: false, cursor: null, reason: "to learn" }],
    ["browser", { action: "goto", target: "https://docs.example" }],
    ["WebFetch", { url: "https://docs.example", prompt: "How many retries?" }],
    ["http", ["GET", "https://docs.example"]],
    ["http", { url: "https://docs.example", headers: { Accept: "text/html" } }],
    ["read_parquet", { path: "s3://bucket/key" }],
    url("https://docs.example/self-hosted/user-guide/account-setup"),
    url("https://docs.example/en/latest/mycology.html"),
    ["get_file_contents", { owner: "acme", repo: "web", path: "src/user/me" }],
  ])("is that of all workers: %s %j", (tool, args) => {
    expect(scopeOf(tool, args)).toBe("shared");
  });

  it.each<[string, unknown]>([
    url("http://localhost:8080/health"),
    url("http://LOCALHOST./health"),
    url("http://app.localhost:3000"),
    url("http://127.0.0.1:8080"),
    url("http://127.1/"),
    url("http://2130706433/"),
    url("http://0x7f000001/"),
    url("http://0.0.0.0:8000"),
    url("http://[::1]:3000/"),
    url("http://[fe80::1]/"),
    url("http://[::ffff:127.0.0.1]/"),
    url("http://10.1.2.3/"),
    url("http://172.17.0.2:9000/"),
    url("http://192.168.1.7/"),
    url("http://169.254.169.254/latest/meta-data/"),
    url("http://100.100.100.100/"),
    url("http://db:5432"),
    url("http://printer.local/"),
    url("http://host.docker.internal:8080"),
    url("http://api.default.svc.cluster.local/"),
    url("https://myapp.test/login"),
    url("http://127.0.0.1.nip.io/"),
    url("file:///etc/hosts"),
    url("not an address"),
    ["read_file", { path: "AGENTS.md" }],
    ["read_file", { path: "/srv/repository/AGENTS.md" }],
    ["bash", { command: "which rg" }],
    ["bash", { command: "npm run build" }],
    ["bash", { command: "curl -sf https://api.example.com/health" }],
    ["python", { code: "requests.get('https://api.example.com')" }],
    ["browser_click", { ref: "e12" }],
    ["search", { query: "login bug" }],
    ["job_status", { id: "nightly" }],
    ["get_item", { id: 3 }],
    ["convert", { encoding: "UTF-8" }],
    ["note", { text: "see https://docs.example/v2 for more" }],
    ["download", { url: "https://files.example/a.zip", path: "a.zip" }],
    ["proxy", { from: "https://api.example.com", to: "http://localhost:3000" }],
    ["http_get", { url: "https://api.example/x", cwd: "/app" }],
    ["http", { url: "https://api.example/x", headers: { Authorization: "Bearer x" } }],
    ["http", { method: "POST", url: "https://api.example/x", body: { name: "x" } }],
    ["git_clone", { repository: "https://github.com/acme/x.git", directory: "/work" }],
    ["git", { args: ["clone", "https://github.com/acme/x.git", "."] }],
    ["git_add_remote", { name: "origin", url: "https://github.com/acme/x.git" }],
    ["set_env", { key: "API_URL", value: "https://api.example" }],
    ["browser_click", { element: "Sign in", href: "https://app.example/signin" }],
    ["navigate", { tab: 3, url: "https://app.example" }],
    ["validate", { $schema: "https://json-schema.org/draft/2020-12/schema", value: 1 }],
    ["resume", { session_id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" }],
    ["describe_queue", { name: "arn:aws:sqs:eu-west-1:000000000000:jobs" }],
    ["create_pull_request", { owner: "acme", repo: "web", head: "agent/fix", base: "main" }],
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
    url("https://app.example.com/session"),
    url("https://app.example.com/account/settings"),
    url("https://api.example.com/runs/latest"),
    url("https://queue.amazonaws.com/000000000000/jobs"),
    url("https://shop.example.com/basket"),
    url("https://ada:tea@api.example.com/orders/7"),
    url("https://api.example.com/orders/7?api_key=k7"),
    url("https://files.example.com/a.pdf?X-Amz-Signature=ab12"),
    url("https://shop.example.com/checkout/review"),
    url("https://app.example.com/notifications/unread"),
    url("https://box.tail1234.ts.net/a"),
    ["get_file_contents", { owner: "me", repo: "web", path: "a.ts" }],
    ["get_file_contents", { owner: "@me", repo: "web", path: "a.ts" }],
    ["ping", {}],
    ["ping", undefined],
    ["ping", null],
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

    for (const each of [args, deep, wide]) expect(scopeByReading(readCall("fetch", each))).toBe("own");
  });
});
