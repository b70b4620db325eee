import { expect, it } from "vitest";
import { pageScript } from "./adapter-scripts.ts";
import type { AdapterUnderTest } from "./adapter-under-test.ts";

/** Hosts end a run after so many steps. A guard that takes some of them for itself breaks runs that were fine. */
export function hostLimits({ both }: AdapterUnderTest): void {
  it.each([8, 30])("lets %d different calls end as without it, under the host's own limits", async (length) => {
    const { without, withGuard } = await both(pageScript(length), { hasDefaultLimits: true });

    expect(without.executed.length).toBeGreaterThan(0);
    expect(JSON.stringify(withGuard)).toBe(JSON.stringify(without));
  });
}
