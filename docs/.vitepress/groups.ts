export interface Group {
  readonly title: string;
  /** Files of the repository in reading order. A folder stands for its README.md and then all its other pages by name. */
  readonly pages: readonly string[];
}

/** Every page of the site, in the order in which the sidebar, the next-page links and llms.txt have them. */
export const groups: readonly Group[] = [
  {
    title: "Start",
    pages: [
      "docs/start/write-an-agent.md",
      "docs/coding-agents.md",
      "docs/scan.md",
      "docs/playground.md",
      "docs/any-language.md",
      "docs/gateways.md",
      "docs/fleet.md",
    ],
  },
  {
    title: "Understand",
    pages: ["docs/how-it-decides.md", "docs/detectors.md", "docs/quality.md", "docs/speed.md"],
  },
  {
    title: "The guard",
    pages: [
      "docs/guard.md",
      "docs/messages.md",
      "docs/second-opinion.md",
      "docs/adapters/",
      "docs/testing.md",
      "docs/migration.md",
    ],
  },
  {
    title: "Operate",
    pages: ["docs/start-over.md", "docs/transcripts.md", "docs/serverless.md", "docs/scale.md", "docs/telemetry.md"],
  },
  { title: "Help and trust", pages: ["docs/troubleshooting.md", "docs/security.md", "SECURITY.md"] },
  { title: "Reference", pages: ["packages/doomloop/CHANGELOG.md", "docs/api/"] },
];

/** The page that the site opens with; it is in no group. */
export const home = "docs/index.md";
