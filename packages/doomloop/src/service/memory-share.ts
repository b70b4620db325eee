import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";

/** A run of fifty calls takes 60 to 90 KB; one that came from the store takes more. */
const BYTES_A_RUN = 131_072;
const MAX_HELD_BYTES = 256_000_000;
/** Bodies are outside of the heap, so nothing but this limits them. Each is copied when it is read. */
const PART_FOR_BODIES = 1 / 16;
/** In a small container, Node's own limit for the heap is higher than the container's for everything. */
const PART_FOR_HEAP = 0.4;

/** What the process may use in all: the limit of its container, or the memory of the machine. */
function memoryBytes(): number {
  // 0 if it is unknown, and more than the machine has if there is no limit.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The heap that may fill before the system ends the process. */
export function heapLimit(memory = memoryBytes()): number {
  return Math.min(getHeapStatistics().heap_size_limit, memory * PART_FOR_HEAP);
}

/** How many runs, or conversations, fit into a part of the heap. */
export function placesIn(part: number, heapBytes = heapLimit()): number {
  return Math.max(1, Math.floor((heapBytes * part) / BYTES_A_RUN));
}

/** How many bytes the bodies of all requests may hold at a time. */
export function bodyLimit(memory = memoryBytes()): number {
  return Math.min(MAX_HELD_BYTES, memory * PART_FOR_BODIES);
}
