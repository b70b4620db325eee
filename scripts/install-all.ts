import { join, resolve } from "node:path";
import { installHost, usualHostNames } from "./install-host.ts";
import { installPackages } from "./install-packages.ts";

/** Installs what the suites of hosts, stores and the report page need, and the documentation site, so that they find it when they begin. */
const root = resolve(import.meta.dirname, "..");
const tests = join(root, "test");
for (const name of ["viewer", "stores"]) timed(name, () => installPackages(join(tests, name), name));
timed("docs", () => installPackages(join(root, "docs"), "docs"));
for (const name of usualHostNames()) timed(name, () => installHost(name));

function timed(name: string, action: () => void): void {
  const start = performance.now();
  action();
  console.log(`ok   ${name}: installed (${((performance.now() - start) / 1000).toFixed(1)} s)`);
}
