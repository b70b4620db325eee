import type { DeadEndKind, HonestKind } from "./honest-kinds.ts";
import { deadEnd, missed, ownTrouble } from "./short-kinds.ts";

/**
 * Kinds of work written without sight of the code that tells shared calls from own ones, before that code was last changed. Tune the code
 * if one of them fails, never the kind. A new kind belongs here only if its author hasn't read that code.
 */

export const unseenHonestKinds: readonly HonestKind[] = [
  ownTrouble(
    "git with a list of arguments: the folder isn't empty",
    {
      tool: "git",
      args: { args: ["clone", "--depth", "1", "https://github.com/acme/shop.git", "."] },
      output: "fatal: destination path '.' already exists and is not an empty directory.",
    },
    "rm -rf ./* .git",
  ),
  ownTrouble(
    "a browser that was never installed",
    {
      tool: "browser_navigate",
      args: { url: "https://shop.example/login" },
      output: "browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium-1134/chrome",
    },
    "npx playwright install chromium",
  ),
  ownTrouble(
    "a button that isn't on the own page yet",
    {
      tool: "browser_click",
      args: { page: "https://shop.example/login", element: "Sign in", ref: "e12" },
      output: "Ref e12 not found in the current page snapshot. Try capturing new snapshot.",
    },
    "sleep 1",
  ),
  ownTrouble(
    "a container whose name is taken",
    {
      tool: "docker_run",
      args: { image: "ghcr.io/acme/build:1.4.2", name: "build", detach: true },
      output: 'Conflict. The container name "/build" is already in use by container 4f1c.',
    },
    "docker rm -f build",
  ),
  ownTrouble(
    "a Python that is managed by the system",
    {
      tool: "pip_install",
      args: { package: "git+https://github.com/acme/lib.git@v2" },
      output: "error: externally-managed-environment",
    },
    "python3 -m venv .venv",
  ),
  ownTrouble(
    "a download that doesn't fit on the disk",
    {
      tool: "download",
      args: { url: "https://models.example/base.safetensors" },
      output: "OSError: [Errno 28] No space left on device",
    },
    "rm -rf ~/.cache",
  ),
  ownTrouble(
    "a table that the migrations haven't made",
    {
      tool: "run_sql",
      args: { connection: "postgresql://app:app@postgres.internal:5432/app", query: "select count(*) from orders" },
      output: 'ERROR: relation "orders" does not exist',
    },
    "npm run migrate",
  ),
  ownTrouble(
    "a data set that is too large for the own memory",
    {
      tool: "read_parquet",
      args: { path: "s3://acme-lake/events/2024/05/", columns: ["user", "at"] },
      output: "java.lang.OutOfMemoryError: Java heap space",
    },
    "export SPARK_DRIVER_MEMORY=8g",
  ),
  ownTrouble(
    "a cluster that isn't configured",
    {
      tool: "kubectl",
      args: { args: ["apply", "-f", "https://raw.githubusercontent.com/acme/deploy/main/app.yaml"] },
      output: "error: current-context is not set",
    },
    "kubectl config use-context kind",
  ),
  ownTrouble(
    "a screenshot for a ticket that wasn't taken",
    {
      tool: "attach_file",
      args: { ticket: "https://support.example/tickets/8812", file: "screenshot.png" },
      output: "404: file not found: screenshot.png",
    },
    "scrot screenshot.png",
  ),
  ownTrouble(
    "a kernel that came with the image of the sandbox",
    {
      tool: "execute_cell",
      args: { kernel_id: "0b0c7e0e-53a4-4c4e-9f0e-6a2f6a1f4f57", code: "df.describe()" },
      output: "NameError: name 'df' is not defined",
    },
    "python3 load.py",
  ),
  ownTrouble(
    "a setting on a read-only disk",
    {
      tool: "set_config",
      args: { key: "otel.endpoint", value: "https://otel.example:4318" },
      output: "EROFS: read-only file system, open '/etc/agent/config.json'",
    },
    "export OTEL_EXPORTER_OTLP_ENDPOINT=https://otel.example:4318",
  ),
  ownTrouble(
    "a mail by the own mail server, which is down",
    {
      tool: "send_email",
      args: { to: "support@example.com", subject: "Report", body: "The report is ready: https://reports.example/7" },
      output: "connect ECONNREFUSED 127.0.0.1:1025",
    },
    "mailpit &",
  ),
  ownTrouble(
    "a queue of an emulated cloud",
    {
      tool: "sqs_send",
      args: { QueueUrl: "http://sqs.us-east-1.localhost.localstack.cloud:4566/000000000000/jobs", MessageBody: "{}" },
      output: "AWS.SimpleQueueService.NonExistentQueue: The specified queue does not exist.",
    },
    "awslocal sqs create-queue --queue-name jobs",
  ),
  ownTrouble(
    "a document that lacks a field of its schema",
    {
      tool: "validate_json",
      args: { document: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" } },
      output: "'$id' is a required property",
    },
    "jq . schema.json",
  ),
  ownTrouble(
    "a shell without wget",
    {
      tool: "bash",
      args: { command: "wget -q https://data.example/train.csv.gz" },
      output: "bash: wget: command not found",
    },
    "apt-get install -y wget",
  ),
  ownTrouble(
    "a branch without commits",
    {
      tool: "create_pull_request",
      args: { owner: "acme", repo: "shop", head: "agent/fix", base: "main", title: "Fix the login" },
      output: "422 Validation Failed: No commits between main and agent/fix",
    },
    "git commit -am fix",
  ),
  ownTrouble(
    "a host whose key the sandbox doesn't know",
    {
      tool: "ssh_exec",
      args: { host: "build-7.corp.example", command: "make -j4" },
      output: "Host key verification failed.",
    },
    "ssh-keyscan build-7.corp.example >> ~/.ssh/known_hosts",
  ),
  ownTrouble(
    "a machine without a role",
    {
      tool: "http_get",
      args: { url: "http://169.254.169.254/latest/meta-data/iam/security-credentials/" },
      output: "404 - Not Found",
    },
    "aws configure",
  ),
  ownTrouble(
    "a public name that leads to the own machine",
    {
      tool: "http_get",
      args: { url: "http://shop.127.0.0.1.nip.io:8080/cart" },
      output: "404 page not found",
    },
    "npm start",
  ),
  ownTrouble(
    "a token that the environment lacks",
    {
      tool: "call_api",
      args: { url: "https://api.example/v1/projects/current", auth: "env:ACME_TOKEN" },
      output: "The environment variable ACME_TOKEN is not set",
    },
    "source .env",
  ),
  ownTrouble(
    "an artifact that wasn't built",
    {
      tool: "upload_artifact",
      args: { destination: "https://artifacts.example/nightly/", path: "dist/report.html" },
      output: "ENOENT: no such file or directory, open 'dist/report.html'",
    },
    "npm run build",
  ),
  {
    title: "a page that every second sandbox can't reach, because it has no network",
    *steps({ number }) {
      const step = { tool: "fetch", args: { url: "https://docs.example/install" } };
      if (number % 2 === 0) yield { ...step, output: `how to install ${number}` };
      else for (const _ of [0, 1]) yield { ...step, output: "getaddrinfo EAI_AGAIN docs.example", isError: true };
    },
  },
  ownTrouble(
    "a Go package of the own working copy",
    {
      tool: "go_test",
      args: { package: "github.com/acme/shop/internal/cart" },
      output: "FAIL github.com/acme/shop/internal/cart [build failed]",
    },
    "go mod tidy",
  ),
];

export const unseenDeadEndKinds: readonly DeadEndKind[] = [
  deadEnd(
    "a wiki page, by an action of a browser",
    "browser",
    { action: "goto", target: "https://wiki.example/spaces/OPS/pages/4411" },
    "HTTP 410 Gone",
  ),
  deadEnd(
    "a page with a question about it",
    "WebFetch",
    { url: "https://docs.example/v1/retries", prompt: "How many times does the client retry?" },
    "Request failed with status code 404",
  ),
  deadEnd(
    "several pages at once",
    "fetch_many",
    { urls: ["https://docs.example/a", "https://docs.example/b"], timeout: 30 },
    "404 Not Found: https://docs.example/a",
  ),
  deadEnd(
    "arguments as JSON text",
    "read_url",
    '{"url":"https://docs.example/v3/setup","max_length":5000}',
    "The page does not exist (404)",
  ),
  deadEnd("arguments as a list", "http", ["GET", "https://status.example/api/v9"], "HTTP/1.1 404 Not Found"),
  missed(deadEnd("a paper", "get_paper", { doi: "10.1145/3292500.3330701" }, "DOI not found")),
  deadEnd(
    "an object of a bucket",
    "s3_get",
    { uri: "s3://acme-public-reports/2023/q4.csv" },
    "NoSuchKey: The specified key does not exist.",
  ),
  missed(
    deadEnd(
      "a field that a schema no longer has",
      "graphql",
      { endpoint: "https://api.example/graphql", query: "{ orders { legacyId } }", variables: {} },
      'Cannot query field "legacyId" on type "Order".',
    ),
  ),
  missed(deadEnd("a retired name", "resolve_dns", { name: "mx1.retired.example", type: "MX" }, "NXDOMAIN")),
  deadEnd(
    "a request with headers, inside of another object",
    "http_request",
    { request: { method: "GET", url: "https://api.example/v1/legacy", headers: { accept: "application/json" } } },
    '{"status":404,"error":"Not Found"}',
  ),
  deadEnd(
    "a ticket by its address",
    "jira",
    { issue: "https://acme.atlassian.net/browse/OPS-4411" },
    "Issue does not exist or you do not have permission to see it.",
  ),
  missed(
    deadEnd(
      "a download in a shell",
      "bash",
      { command: "curl -sSfL https://dl.example/tool-1.2.0.tar.gz" },
      "curl: (22) The requested URL returned error: 404",
    ),
  ),
];
