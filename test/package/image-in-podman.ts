import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { npm } from "../../scripts/run-program.ts";
import type { ContainerFile } from "./container-file.ts";
import { type RunningImage, TOKEN } from "./try-image.ts";

const NAME = "doomloop-image-test";
const IMAGE = "registry.example/doomloop:0.1.0";
const AGENT = "registry.example/agent:1.0.0";
const cache = process.env.DOOMLOOP_CI_CACHE || join(homedir(), ".cache/doomloop-ci");
/** As many machines limit it, and without the right to raise it: podman would try. crun refuses machines with both kinds of groups. */
const SETTINGS =
  '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n';

/** Asks for the decision on one call, as an agent beside the service does, with what its container's environment says. */
const AGENT_PROGRAM = `const { DOOMLOOP_URL: url, DOOMLOOP_TOKEN: token } = process.env;
const body = JSON.stringify({ events: [{ type: "call", id: "1", tool: "read_file", args: {} }] });
const ask = () => fetch(url + "/v1/runs/a/events", { method: "POST", body, headers: { authorization: "Bearer " + token } });
setInterval(() => ask().then((answer) => answer.text()).then(console.log, (fault) => console.log(String(fault.cause))), 500);
process.on("SIGTERM", () => process.exit());`;

/** Images and containers of Debian's podman, and nothing from a registry of images. */
export interface Podman {
  /** Builds the image from a folder with its file and the package. */
  build(file: ContainerFile, context: string, tarball: string): void;
  start(user: number): Promise<RunningImage>;
  /** Runs the pod of a Kubernetes file beside a small agent. Returns the agent's answers. */
  play(manifest: string): Promise<string>;
  remove(): void;
}

export function createPodman(): Podman {
  const home = mkdtempSync(join(tmpdir(), "doomloop-podman-"));
  const [settings, storage] = [join(home, "containers.conf"), join(home, "storage.conf")];
  writeFileSync(settings, SETTINGS);
  // Images and secrets of its own, so that it touches none of the user's.
  const places = `graphroot = "${join(cache, "podman")}"\nrunroot = "${join(home, "run")}"\n`;
  writeFileSync(storage, `[storage]\ndriver = "overlay"\n${places}`);
  const env = { ...process.env, CONTAINERS_CONF: settings, CONTAINERS_STORAGE_CONF: storage };
  // It leaves a file where it stands if the kernel kills a container.
  const place = { env, cwd: home };
  const podman = (words: readonly string[]) =>
    execFileSync("podman", words, { ...place, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const forget = (...words: string[]) => spawnSync("podman", words, { ...place, stdio: "ignore" });
  return {
    build(file, context, tarball) {
      importBase(file.base, env);
      const words = ["build", "--pull-never", "--build-arg", `PACKAGE=./${tarball}`, "--tag", IMAGE, context];
      execFileSync("podman", words, { ...place, stdio: ["ignore", "ignore", "inherit"] });
    },
    async start(user) {
      const limits = ["--memory=128m", "--read-only", "--read-only-tmpfs=false", "--cap-drop=ALL"];
      const rights = ["--security-opt=no-new-privileges", "--passwd=false", `--user=${user}:${user}`];
      const network = ["--publish=127.0.0.1::4177", `--env=DOOMLOOP_TOKEN=${TOKEN}`];
      podman(["run", "--detach", `--name=${NAME}`, ...limits, ...rights, ...network, IMAGE]);
      const url = `http://${podman(["port", NAME, "4177"]).trim()}`;
      await until(() => podman(["logs", NAME]).includes("Listening"));
      const end = async () => {
        podman(["stop", "--time=10", NAME]);
        return Number(podman(["inspect", "--format={{.State.ExitCode}}", NAME]));
      };
      return { url, end };
    },
    async play(manifest) {
      const agent = join(home, "Dockerfile");
      const command = JSON.stringify(["node", "--eval", AGENT_PROGRAM]);
      writeFileSync(agent, `FROM node:24-slim\nUSER 1000:1000\nCMD ${command}\n`);
      podman(["build", "--pull-never", "--tag", AGENT, "--file", agent, home]);
      // podman keeps a Secret of Kubernetes in this form.
      const secret = join(home, "secret");
      writeFileSync(secret, JSON.stringify({ token: Buffer.from(TOKEN).toString("base64") }));
      podman(["secret", "create", "doomloop", secret]);
      podman(["kube", "play", manifest]);
      await until(() => podman(["logs", "agent-agent"]).includes("decisions"));
      podman(["pod", "stop", "--time=10", "agent"]);
      const code = podman(["inspect", "--format={{.State.ExitCode}}", "agent-doomloop"]).trim();
      if (code !== "0") throw new Error(`exit code 0 is expected, got ${code}`);
      return /^.*decisions.*$/m.exec(podman(["logs", "agent-agent"]))![0];
    },
    remove() {
      forget("rm", "--force", NAME);
      forget("pod", "rm", "--force", "agent");
      forget("secret", "rm", "doomloop");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Makes what the base image has, Debian with Node, npm and a user `node`, and names it so. It is kept. */
function importBase(name: string, env: NodeJS.ProcessEnv): void {
  const root = join(cache, "debian-node");
  if (!existsSync(root)) makeBase(root);
  const tree = ["--change=ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];
  // Where a machine reaches npm through a proxy of its own.
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) {
    cpSync(authorities, join(root, "usr/local/share/authorities.crt"));
    tree.push("--change=ENV NODE_EXTRA_CA_CERTS=/usr/local/share/authorities.crt");
  }
  const command = `tar -C "$1" -c . | podman import ${tree.map((word) => `'${word}'`).join(" ")} - "$2"`;
  execFileSync("sh", ["-euc", command, "sh", root, `docker.io/library/${name}`], { env, stdio: "ignore" });
}

function makeBase(root: string): void {
  const unfinished = `${root}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const say = (program: string, ...words: string[]) =>
    execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  say("debootstrap", "--variant=minbase", "bookworm", unfinished);
  cpSync(process.execPath, join(unfinished, "usr/local/bin/node"));
  const packages = join(unfinished, "usr/local/lib");
  mkdirSync(packages, { recursive: true });
  npm(["install", "--global", "--prefix", dirname(packages), "npm@11"], packages);
  say("chroot", unfinished, "groupadd", "--gid=1000", "node");
  say("chroot", unfinished, "useradd", "--uid=1000", "--gid=node", "--create-home", "node");
  renameSync(unfinished, root);
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries === 100) throw new Error("it took more than twenty seconds");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What is missing on this machine. Undefined if nothing is. */
export function podmanFault(): string | undefined {
  const missing = ["podman", "runc", "debootstrap"].filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0,
  );
  if (process.getuid?.() !== 0) return "Root is required";
  return missing.length === 0
    ? undefined
    : `Run apt-get install --no-install-recommends podman runc catatonit debootstrap: there is no ${missing.join(", no ")}`;
}
