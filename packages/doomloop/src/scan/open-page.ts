import { spawn } from "node:child_process";

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", win32: "explorer.exe" };

/** Opens a file in the program that the desktop has for it. Returns whether there is such a program; never throws. */
export function openPage(path: string): Promise<boolean> {
  const child = spawn(PROGRAMS[process.platform] ?? "xdg-open", [path], { stdio: "ignore", detached: true });
  return new Promise((done) => {
    child.on("error", () => done(false));
    child.on("spawn", () => {
      child.unref();
      done(true);
    });
  });
}
