export interface Group {
  readonly title: string;
  /** Files of the repository in reading order. A folder stands for its README.md and then all its other pages by name. */
  readonly pages: readonly string[];
}

/** Every page of the site, in the order in which the sidebar, the next-page links and llms.txt have them. */
export const groups: readonly Group[] = [
  {
    title: "Start",
    pages: ["docs/start/write-an-agent.md", "docs/start/run-a-fleet.md"],
  },
  {
    title: "The guard",
    pages: [
      "docs/how-it-decides.md",
      "docs/detectors.md",
      "docs/guard.md",
      "docs/messages.md",
      "docs/second-opinion.md",
      "docs/adapters/",
      "docs/any-language.md",
      "docs/serverless.md",
      "docs/gateways.md",
      "docs/testing.md",
      "docs/telemetry.md",
    ],
  },
  { title: "Coding agents", pages: ["docs/coding-agents.md", "docs/start-over.md"] },
  {
    title: "Scan and report",
    pages: ["docs/scan.md", "docs/playground.md", "docs/transcripts.md"],
  },
  { title: "Fleet", pages: ["docs/fleet.md", "docs/scale.md"] },
  {
    title: "Trust",
    pages: [
      "docs/false-positives.md",
      "docs/troubleshooting.md",
      "docs/faq.md",
      "docs/quality.md",
      "docs/speed.md",
      "docs/security.md",
      "SECURITY.md",
      "docs/dependencies.md",
      "docs/supply-chain.md",
    ],
  },
  { title: "Reference", pages: ["docs/migration.md", "packages/doomloop/CHANGELOG.md", "docs/api/"] },
  {
    title: "Contribute",
    pages: [
      "CONTRIBUTING.md",
      "docs/follow-one-event.md",
      "ARCHITECTURE.md",
      "docs/decisions/",
      "docs/coverage.md",
      "docs/releasing.md",
    ],
  },
];

/** The page that the site opens with; it is in no group. */
export const home = "docs/index.md";
