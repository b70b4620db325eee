import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Prometheus of our own, on a free port of the loopback interface. */
export interface PrometheusServer {
  /** Asks the HTTP API and returns the answer's `data`. */
  ask(path: string, parameters?: Readonly<Record<string, string>>): Promise<unknown>;
  stop(): Promise<void>;
}

/** Whether Prometheus is installed. */
export function hasPrometheus(): boolean {
  return spawnSync("prometheus", ["--version"], { stdio: "ignore" }).status === 0;
}

const READY_MS = 120_000;

/** Starts Prometheus on the metrics of one port, and waits until it answers. */
export async function startPrometheus(scrapedPort: number, ruleFile: string): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-prometheus-"));
  const port = await freePort();
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [ruleFile],
    scrape_configs: [{ job_name: "agents", static_configs: [{ targets: [`127.0.0.1:${scrapedPort}`] }] }],
  };
  // JSON is YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const server = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let complaints = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4000);
  });
  const stop = async (): Promise<void> => {
    await ended(server);
    rmSync(folder, { recursive: true, force: true });
  };
  const base = `http://127.0.0.1:${port}`;
  const isReady = await eventually(READY_MS, async () => {
    if (server.exitCode !== null) return "ended";
    return (await fetch(`${base}/-/ready`).catch(() => undefined))?.ok === true ? "ready" : undefined;
  });
  if (isReady !== "ready") {
    await stop();
    throw new Error(`Prometheus is not ready after ${READY_MS} ms: ${complaints}`);
  }
  return {
    async ask(path, parameters = {}) {
      const response = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(parameters)}`);
      const { status, data, error } = (await response.json()) as { status: string; data: unknown; error?: string };
      if (status !== "success") throw new Error(`${path} ${JSON.stringify(parameters)}: ${error}`);
      return data;
    },
    stop,
  };
}

/** Asks again until there is an answer or the time is over. */
export async function eventually<Answer>(
  withinMs: number,
  ask: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined || performance.now() > end) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    server.once("exit", () => done());
    server.kill("SIGTERM");
  });
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" ? address!.port : 0));
    });
  });
}
