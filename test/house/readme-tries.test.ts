import { expect, it } from "vitest";
import { readTries } from "../package/readme-tries.ts";

const page = `
\`\`\`sh
npx elsewhere
\`\`\`
<!-- try: fleet -->

\`\`\`sh
npm install doomloop
\`\`\`

Save this as \`worker.mts\`:

<!-- snippet: examples/fleet-redis/worker.ts -->
\`\`\`ts
work();
\`\`\`

\`\`\`
what you see
\`\`\`

\`\`\`sh
node worker.mts
\`\`\`
## Next

\`\`\`sh
npx later
\`\`\`
`;

it("takes files and commands of a try in their order, and nothing around it", () => {
  expect(readTries(page)).toEqual([
    {
      name: "fleet",
      steps: [
        { kind: "type", commands: "npm install doomloop\n" },
        { kind: "save", file: "worker.mts", text: "work();\n" },
        { kind: "type", commands: "node worker.mts\n" },
      ],
    },
  ]);
});
