import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-member.ts";
import type { FleetNotice } from "../fleet-notice.ts";
import { isFleetMode } from "./redis-fleet-options.ts";

/** How far the guards of this process may act: the quietest of what the store's switch, the option and distrust ask for. */
export type ModeOfFleet = ReturnType<typeof createModeOfFleet>;

const LOUDEST_FIRST: readonly FleetMode[] = ["on", "shadow", "off"];
/** If more than this share of the active runs loops, the fault is taken to be ours, until clearly fewer do. */
const DISTRUST = 0.5;
const TRUST_AGAIN = 0.4;
/** Active runs below which the share says nothing. */
const LEAST_RUNS = 10;

export function createModeOfFleet(
  option: FleetMode | (() => FleetMode),
  counts: () => { readonly active: number; readonly looping: number },
  notify: (notice: FleetNotice) => void,
) {
  let heard: string | undefined;
  let ofStore: FleetMode = "on";
  let ofOption: FleetMode = "on";
  let isDistrusting = false;
  let current: FleetMode = "on";

  const decide = (because: "switch" | "distrust"): void => {
    const before = current;
    const asked = [ofStore, ofOption, isDistrusting ? "shadow" : "on"] as const;
    current = LOUDEST_FIRST[Math.max(...asked.map((each) => LOUDEST_FIRST.indexOf(each)))]!;
    if (current !== before) notify({ kind: "mode", mode: current, because });
  };

  const askOption = (): void => {
    const said = typeof option === "function" ? safely(option) : option;
    if (isFleetMode(said)) ofOption = said;
    decide("switch");
  };

  askOption();
  return {
    current: () => current,
    /** The store has said this. What is not said leaves the switch as it was: a store that was emptied switches nothing on. */
    hear(text: string | undefined): void {
      if (text === undefined || text === heard) return;
      heard = text;
      if (!isFleetMode(text)) notify({ kind: "switch-unreadable" });
      else {
        ofStore = text;
        decide("switch");
      }
    },
    /** Looks at the option and at this process's own runs again. */
    weigh(): void {
      askOption();
      const { active, looping } = counts();
      const share = active < LEAST_RUNS ? 0 : looping / active;
      isDistrusting = share > (isDistrusting ? TRUST_AGAIN : DISTRUST);
      decide("distrust");
    },
  };
}
