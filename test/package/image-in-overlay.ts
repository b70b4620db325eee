import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContainerFile } from "./container-file.ts";
import { type RunningImage, TOKEN } from "./try-image.ts";

export interface OverlayOptions {
  /** With the Dockerfile and the package. */
  readonly context: string;
  /** The package in it. */
  readonly tarball: string;
  /** Empty, for the file system. */
  readonly folder: string;
  /** In no list of users. */
  readonly user: number;
  readonly memoryBytes: number;
}

/** What a service in an overlay shows of itself. */
export interface OverlayImage extends RunningImage {
  readonly pid: number;
  /** Why there is no limit of memory. Undefined if there is one. */
  readonly unlimited: string | undefined;
  /** Ends it, if it still runs, and removes what it leaves behind. */
  remove(): Promise<void>;
}

const PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Why this machine can't do it. Undefined if it can. */
export function overlayFault(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "Linux and root are required";
  const { status, stderr, error } = spawnSync("unshare", ["--mount", "--pid", "--fork", "true"], { encoding: "utf8" });
  return status === 0 ? undefined : `This machine allows no namespaces: ${error?.message ?? stderr.trim()}`;
}

/**
 * Makes the image by the steps of its file, on top of this machine's own Debian instead of the base image, and runs it there as a container
 * does: as process 1, read-only, as a user that nobody knows, without rights and without HOME. It listens on loopback.
 */
export async function startInOverlay(file: ContainerFile, options: OverlayOptions): Promise<OverlayImage> {
  const group = limitMemory(options.memoryBytes);
  const script = [...rootScript(options), ...stepsScript(file, options), ...startScript(file, options, group.folder)];
  const words = ["--mount", "--propagation", "private", "--pid", "--fork", "--kill-child", "sh", "-euc"];
  const child = spawn("unshare", [...words, script.join("\n")], { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close") as Promise<[number]>;
  const url = await listening(child).catch(async (error: unknown) => {
    await closed;
    group.remove();
    throw error;
  });
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim());
  return {
    ...{ url, pid, unlimited: group.fault },
    async end() {
      process.kill(pid, "SIGTERM");
      return (await closed)[0];
    },
    async remove() {
      // With the user, it has lost the signal that --kill-child sends.
      if (child.exitCode === null) process.kill(pid, "SIGKILL");
      await closed;
      group.remove();
    },
  };
}

async function listening(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const piece of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += piece;
    const url = /Listening on (http:\S+)/.exec(text)?.[1];
    if (url !== undefined) {
      child.stdout!.resume();
      return url;
    }
  }
  throw new Error(`it does not listen, but says:\n${text}`);
}

/** The root: what is written to it is kept in memory, and gone with the process. */
function rootScript({ folder }: OverlayOptions): string[] {
  const [upper, work, root] = ["upper", "work", "root"].map((name) => quoted(join(folder, name)));
  return [
    `mount -t tmpfs -o mode=755 tmpfs ${quoted(folder)}`,
    `mkdir ${upper} ${work} ${root}`,
    `mount -t overlay -o lowerdir=/,upperdir=${join(folder, "upper")},workdir=${join(folder, "work")} overlay ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /sys ${root}/sys`,
    // Where they are mounts, as in a container, the overlay does not show them.
    `for file in /etc/resolv.conf /etc/hosts /dev/null /dev/urandom; do touch ${root}$file; mount --bind $file ${root}$file; done`,
    // The one that runs this may be in a folder of somebody else.
    `mkdir -p ${root}/usr/local/bin; rm -f ${root}/usr/local/bin/node; cp ${quoted(process.execPath)} ${root}/usr/local/bin/node`,
  ];
}

function stepsScript({ steps }: ContainerFile, { context, folder, tarball }: OverlayOptions): string[] {
  const root = join(folder, "root");
  return steps.map((step) => {
    if ("command" in step) return `PACKAGE=./${tarball} chroot ${quoted(root)} sh -c ${quoted(step.command)} >&2`;
    const to = quoted(join(root, step.to));
    return `mkdir -p ${to}; (cd ${quoted(context)}; cp ${step.from.join(" ")} ${to})`;
  });
}

function startScript(file: ContainerFile, { folder, user }: OverlayOptions, group: string | undefined): string[] {
  const root = quoted(join(folder, "root"));
  const rights = `--reuid ${user} --regid ${user} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all`;
  const environment = [PATH, ...file.environment, `DOOMLOOP_TOKEN=${TOKEN}`].map(quoted).join(" ");
  // The last --listen counts.
  const command = [...file.entrypoint, "--listen", "127.0.0.1:0"].map(quoted).join(" ");
  return [
    `mount -o remount,ro ${root}`,
    ...(group === undefined ? [] : [`echo 0 >${quoted(join(group, "cgroup.procs"))}`]),
    `exec chroot ${root} setpriv ${rights} env -i --chdir=${quoted(file.folder)} ${environment} ${command}`,
  ];
}

interface MemoryGroup {
  readonly folder?: string;
  readonly fault?: string;
  remove(): void;
}

/** Makes a control group with a limit, in the hierarchy that this machine has. */
function limitMemory(bytes: number): MemoryGroup {
  const [home, limit] = existsSync("/sys/fs/cgroup/cgroup.controllers")
    ? ["/sys/fs/cgroup", "memory.max"]
    : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];
  const folder = join(home!, `doomloop-image-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch (error) {
    return { fault: (error as Error).message, remove() {} };
  }
  const remove = (): void => {
    if (readFileSync(join(folder, "cgroup.procs"), "utf8") === "") rmdirSync(folder);
  };
  try {
    writeFileSync(join(folder, limit!), `${bytes}`);
    const swap = readdirSync(folder).find((name) => name === "memory.swap.max");
    if (swap !== undefined) writeFileSync(join(folder, swap), "0");
    return { folder, remove };
  } catch (error) {
    remove();
    return { fault: (error as Error).message, remove() {} };
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
