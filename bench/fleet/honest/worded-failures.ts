import { memberOf } from "../../../packages/doomloop/src/fleet/fleet-evidence.ts";
import { createGuard } from "../../../packages/doomloop/src/index.ts";
import { toTable } from "../tables.ts";

/**
 * Failures of calls that name nothing but an address, in the words of many tools, written without sight of the words that the code knows.
 * The first of each two may be used to improve the code; the second one is only ever counted.
 */
type Worded = readonly [tool: string, args: object, failure: string];

/** The worker's own: its account, its session, its network, its time. */
const own: readonly Worded[] = [
  [
    "http_request",
    { method: "GET", url: "https://api.payments.example/v1/charges" },
    "HTTP 429 Too Many Requests: the rate limit of account acct_81 is used up, retry after 20 s",
  ],
  ["http_get", { url: "https://hooks.acme.example/deliveries/latest" }, "404 Not Found: this webhook delivery expired"],
  [
    "browser_navigate",
    { url: "https://mail.acme.example/inbox" },
    "net::ERR_TOO_MANY_REDIRECTS at https://mail.acme.example/inbox",
  ],
  [
    "get_repository",
    { owner: "acme", repo: "billing" },
    "404 Not Found: the repository does not exist or your token lacks the repo scope",
  ],
  ["fetch", { url: "https://bucket.storage.example/report.pdf" }, "403 AccessDenied: Request has expired"],
  ["fetch_url", { url: "https://docs.acme.example/guide" }, "TimeoutError: the operation was aborted due to timeout"],
  ["read_file", { path: "/srv/data/config.yml" }, "ENOENT: no such file or directory, open '/srv/data/config.yml'"],
  ["run_command", { command: "make test" }, "make: *** [Makefile:12: test] Error 1"],
  ["run_sql", { sql: "select * from orders" }, 'ERROR: relation "orders" does not exist'],
  [
    "webfetch",
    { url: "https://wiki.acme.example/runbooks" },
    "401 Unauthorized: your session has expired, sign in again",
  ],
  ["http_get", { url: "https://shop.acme.example/cart" }, "404: we could not find your cart"],
  ["http_get", { url: "https://api.acme.example/me/notifications" }, "404 Not Found"],
  ["http_get", { url: "https://www.acme.example/status" }, "503 Service Temporarily Unavailable"],
  ["web_search", { query: "typescript worker threads" }, "Quota exceeded for today: 0 of 100 searches left"],
  ["http_get", { url: "https://files.acme.example/uploads/current" }, "410 Gone: the upload session was closed"],
  [
    "requests_get",
    { url: "https://www.acme.example/feed" },
    "requests.exceptions.SSLError: certificate verify failed: certificate is not yet valid",
  ],
  [
    "requests_get",
    { url: "https://api.acme.example/v1" },
    "NameResolutionError: Failed to resolve 'api.acme.example' ([Errno -3] Temporary failure in name resolution)",
  ],
  [
    "fetch",
    { url: "https://registry.acme.example/left" },
    "TypeError: fetch failed, cause: getaddrinfo EAI_AGAIN registry.acme.example",
  ],
  [
    "browser_navigate",
    { url: "https://www.acme.example/" },
    "net::ERR_INTERNET_DISCONNECTED at https://www.acme.example/",
  ],
  ["curl", { url: "https://www.acme.example/feed.xml" }, "curl: (5) Could not resolve proxy: proxy.site.example"],
  ["kubectl_get", { kind: "pod", name: "web-1" }, 'Error from server (NotFound): pods "web-1" not found'],
  [
    "docker_pull",
    { image: "registry.acme.example/app:2" },
    "pull access denied, repository does not exist or may require 'docker login'",
  ],
  ["http_get", { url: "http://localhost:3000/health" }, "404 page not found"],
  ["http_get", { url: "http://billing.internal/health" }, "curl: (6) Could not resolve host: billing.internal"],
  ["http_get", { url: "https://calendar.acme.example/agenda" }, "404: nothing is planned for today"],
  ["http_get", { url: "https://jobs.acme.example/results" }, "404: the result is no longer kept for this API key"],
  ["open_page", { url: "https://video.acme.example/intro" }, "404: this video is not available in your country"],
  ["http_get", { url: "https://forms.acme.example/intake" }, "HTTP 404, no such form in the selected workspace"],
  ["open_page", { url: "https://news.acme.example/front" }, "Error 1015: You are being rate limited"],
  ["http_get", { url: "https://api.acme.example/v2/items", headers: { "X-Customer": "k81" } }, "404 Not Found"],
  ["open_page", { url: "https://join.acme.example/welcome" }, "404: this invite was already used"],
  ["http_get", { url: "https://preview.acme.example/draft" }, "410 Gone. Preview links are valid for one hour."],
];

/** Dead ends for everybody. */
const shared: readonly Worded[] = [
  [
    "browser_navigate",
    { url: "https://docs.gone.example/" },
    "page.goto: net::ERR_NAME_NOT_RESOLVED at https://docs.gone.example/",
  ],
  ["curl", { url: "https://docs.gone.example/setup" }, "curl: (6) Could not resolve host: docs.gone.example"],
  [
    "fetch",
    { url: "https://docs.gone.example/setup" },
    "TypeError: fetch failed\n  [cause]: Error: getaddrinfo ENOTFOUND docs.gone.example",
  ],
  [
    "requests_get",
    { url: "https://docs.gone.example/setup" },
    "urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>",
  ],
  [
    "http_get",
    { url: "https://docs.gone.example/setup" },
    'Get "https://docs.gone.example/setup": dial tcp: lookup docs.gone.example on 127.0.0.53:53: no such host',
  ],
  ["http_get", { url: "https://docs.gone.example/setup" }, "java.net.UnknownHostException: docs.gone.example"],
  [
    "http_get",
    { url: "https://docs.gone.example/setup" },
    "error sending request for url: dns error: failed to lookup address information: Name or service not known",
  ],
  [
    "wget",
    { url: "https://www.acme.example/old/setup.html" },
    "HTTP request sent, awaiting response... 404 Not Found\n2026-02-03 ERROR 404: Not Found.",
  ],
  [
    "selenium_get",
    { url: "https://docs.gone.example/setup" },
    "WebDriverException: Message: Reached error page: about:neterror?e=dnsNotFound&u=https%3A//docs.gone.example/setup",
  ],
  [
    "crawl",
    { url: "https://docs.gone.example/setup" },
    "twisted.internet.error.DNSLookupError: DNS lookup failed: no results for hostname lookup: docs.gone.example.",
  ],
  [
    "HttpGet",
    { url: "https://docs.gone.example/setup" },
    "System.Net.Http.HttpRequestException: No such host is known. (docs.gone.example:443)",
  ],
  ["scrape", { url: "https://shop.gone.example/list" }, "Error 1016 Ray ID: 8a1 Origin DNS error"],
  [
    "browser_navigate",
    { url: "https://shop.gone.example/list" },
    "This site can't be reached. Check if there is a typo in shop.gone.example. DNS_PROBE_FINISHED_NXDOMAIN",
  ],
  ["open_page", { url: "https://shop.gone.example/" }, "This domain has expired. Is this your domain? Renew now."],
  ["WebFetch", { url: "https://www.acme.example/blog/first-post" }, "Request failed with status code 410"],
  [
    "fetch",
    { url: "https://www.acme.example/blog/first-post" },
    "Failed to fetch https://www.acme.example/blog/first-post - status code 404",
  ],
  [
    "http_get",
    { url: "https://www.acme.example/handbook" },
    "aiohttp.client_exceptions.ClientResponseError: 404, message='Not Found', url='https://www.acme.example/handbook'",
  ],
  [
    "http_get",
    { url: "https://www.acme.example/handbook" },
    "Client error '404 Not Found' for url 'https://www.acme.example/handbook'",
  ],
  [
    "load_url",
    { url: "https://docs.gone.example/setup" },
    'Error Domain=NSURLErrorDomain Code=-1003 "A server with the specified hostname could not be found."',
  ],
  [
    "http_get",
    { url: "https://assets.acme.example/logo.svg" },
    "<Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message></Error>",
  ],
  ["open_page", { url: "https://acme.pages.example/" }, "404. There isn't a GitHub Pages site here."],
  [
    "open_page",
    { url: "https://demo.apps.example/" },
    "The deployment could not be found on Vercel. DEPLOYMENT_NOT_FOUND",
  ],
  [
    "browser_navigate",
    { url: "https://www.acme.example/changelog-2019" },
    "net::ERR_ABORTED 404 at https://www.acme.example/changelog-2019",
  ],
  ["dns_lookup", { hostname: "docs.gone.example" }, "** server can't find docs.gone.example: NXDOMAIN"],
];

/** Whether a fleet counts a call that fails like this twice. */
function isCounted([tool, args, output]: Worded): boolean {
  let counted = 0;
  const fleet = memberOf({
    report: ({ fingerprint, isBarren }) => void (fingerprint !== undefined && isBarren === true && counted++),
    verdict: () => undefined,
  });
  const guard = createGuard({ fleet });
  for (const at of [0, 1000]) {
    guard.observe({ type: "round" });
    guard.observe({ type: "call", tool, args, at });
    guard.observe({ type: "result", output, error: true, at: at + 100 });
  }
  return counted > 0;
}

/** Prints how many failures are told right, in both halves. */
export function measureFailures(): void {
  const rows = Object.entries({ own, shared }).map(([kind, failures]) => {
    const right = failures.map((each) => isCounted(each) === (kind === "shared"));
    const share = (half: number): string => {
      const each = right.filter((_, at) => at % 2 === half);
      return `${each.filter(Boolean).length} of ${each.length}`;
    };
    return [kind, share(0), share(1)];
  });
  console.log(toTable(["failures told right", "first half", "second half"], rows));
}
