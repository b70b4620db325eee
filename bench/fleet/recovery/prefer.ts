import { setPriority } from "node:os";

/**
 * Lets a process have the processor before others, as if it had one of its own: what loads a server is not what slows it down. Without the
 * right to do so, it takes longer.
 */
export function prefer(pid: number): void {
  try {
    setPriority(pid, -15);
  } catch {
    // Times are longer then, and not shorter.
  }
}
