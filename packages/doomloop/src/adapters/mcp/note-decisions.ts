import { createGuard, type Decision, type Guard } from "../../index.ts";
import type { HostOptions } from "../host/host-options.ts";

/**
 * Options whose guard tells what it decides about each call. To a host that cannot end a run, a stop is a block like any other; this
 * tells them apart.
 */
export function noteDecisions(options: HostOptions, note: (decision: Decision) => void): HostOptions {
  const { guard, createGuard: create = createGuard } = options;
  if (guard !== undefined) return { ...options, guard: noting(guard, note) };
  return { ...options, createGuard: (own, run) => noting(create(own, run), note) };
}

function noting(guard: Guard, note: (decision: Decision) => void): Guard {
  // What is no guard is told of where guards are made.
  if (typeof guard?.observe !== "function") return guard;
  return {
    ...guard,
    observe(event) {
      const decision = guard.observe(event);
      if (event.type === "call") note(decision);
      return decision;
    },
  };
}
