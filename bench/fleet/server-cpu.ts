import type { Server } from "../../test/stores/servers/server.ts";
import { processCpuMs } from "./process-cpu.ts";

/** Processor time that a server has used so far; as it says itself where nobody else knows. */
export async function serverCpuMs(server: Server): Promise<number> {
  return processCpuMs(server.pid) ?? (await saidBy(server));
}

async function saidBy(server: Server): Promise<number> {
  const text = await server.ask("INFO", "cpu");
  const seconds = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]);
  return (seconds("used_cpu_user") + seconds("used_cpu_sys")) * 1000;
}
