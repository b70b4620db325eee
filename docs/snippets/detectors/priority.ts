import { createGuard } from "doomloop";

export const guard = createGuard({
  detectors: { "text-only": false }, // turned off
  priority: ["test-fix"], // asked first; the others follow in their own order
});
