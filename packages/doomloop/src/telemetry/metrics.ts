interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** As in UCUM; what stands in braces is a note and no unit. */
  readonly unit: string;
  readonly description: string;
}

/** Every metric there is. Names and units are part of the public face: dashboards and alerts are written against them. */
export const METRICS = {
  runs: { name: "doomloop.runs", type: "counter", unit: "{run}", description: "Runs that are watched" },
  loopingRuns: {
    name: "doomloop.runs.looping",
    type: "counter",
    unit: "{run}",
    description: "Runs in which a loop was found, each counted once",
  },
  calls: { name: "doomloop.calls", type: "counter", unit: "{call}", description: "Tool calls that were asked for" },
  findings: {
    name: "doomloop.findings",
    type: "counter",
    unit: "{finding}",
    description: "Findings that were reported",
  },
  allowed: {
    name: "doomloop.findings.allowed",
    type: "counter",
    unit: "{finding}",
    description: "Findings that a host or a user declared to be no loop",
  },
  decisions: {
    name: "doomloop.decisions",
    type: "counter",
    unit: "{decision}",
    description: "Decisions with a finding, by what was done",
  },
  nudges: {
    name: "doomloop.nudges.settled",
    type: "counter",
    unit: "{nudge}",
    description: "Nudges of which it is known whether the loop ended",
  },
  onsetCalls: {
    name: "doomloop.onset.calls",
    type: "counter",
    unit: "{call}",
    description: "Calls made between the first and the latest finding of a loop that went on",
  },
  onsetTokens: {
    name: "doomloop.onset.tokens",
    type: "counter",
    unit: "{token}",
    description: "Tokens spent between the first and the latest finding of a loop that went on",
  },
  faults: { name: "doomloop.faults", type: "counter", unit: "{fault}", description: "Faults inside guards" },
  fleetState: {
    name: "doomloop.fleet.state",
    type: "gauge",
    unit: "{fleet}",
    description: "Fleets of this process in each state",
  },
  fleetChanges: {
    name: "doomloop.fleet.changes",
    type: "counter",
    unit: "{change}",
    description: "Changes of a fleet's state, by the state that it came to",
  },
  deadEnds: {
    name: "doomloop.fleet.dead_ends",
    type: "gauge",
    unit: "{finding}",
    description: "Dead ends of the swarm that are known here and now",
  },
  fleetReports: {
    name: "doomloop.fleet.reports",
    type: "counter",
    unit: "{report}",
    description: "Reports to the store, by what came of them",
  },
  flushDuration: {
    name: "doomloop.fleet.flush.duration",
    type: "histogram",
    unit: "s",
    description: "How long the store took for one flush",
  },
} as const satisfies Record<string, Metric>;

/** Seconds: a store answers within milliseconds, and after one second its answer is late. */
export const FLUSH_BOUNDARIES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
