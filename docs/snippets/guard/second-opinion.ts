declare function askMine(system: string, message: string, signal: AbortSignal): Promise<string>;

// #region second-opinion
import { createGuard } from "doomloop";
import { guardWith, secondOpinion } from "doomloop/opinion";

const opinion = secondOpinion({ ask: ({ system, message }, signal) => askMine(system, message, signal) });
const guard = guardWith(opinion, (options) => createGuard({ ...options, preset: "conservative" }));

// #endregion second-opinion

export { guard };
