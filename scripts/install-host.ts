import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { installPackages } from "./install-packages.ts";

const hosts = resolve(import.meta.dirname, "../test/hosts");

/** The frameworks that adapters are held to, by folder name. */
export function hostNames(): string[] {
  return readdirSync(hosts).filter((name) => existsSync(join(hosts, name, "package.json")));
}

/** Whole coding agents: a gigabyte to install, and slow enough to miss a hook's second on a busy machine. Tested when somebody names them. */
const ON_REQUEST = ["claude-code", "cline", "codex", "copilot-cli", "gemini-cli", "openclaw", "opencode", "qwen-code"];

/** The hosts that are tested where nobody names one. */
export function usualHostNames(): string[] {
  return hostNames().filter((name) => !ON_REQUEST.includes(name));
}

/** Installs the packages of a host and returns the folder that holds them. */
export function installHost(name: string): string {
  return installPackages(join(hosts, name), `hosts/${name}`);
}
