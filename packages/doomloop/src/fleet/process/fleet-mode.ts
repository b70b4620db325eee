import { safely } from "../../core/faults.ts";
import type { FleetMode } from "../../core/fleet-view.ts";
import { type FleetNotice, isFleetMode } from "./store-fleet-options.ts";

/** Decides how far the guards of this process may act: the quietest mode that the store's switch, the option or distrust asks for. */
export type FleetModeSwitch = ReturnType<typeof createFleetModeSwitch>;

const LOUDEST_FIRST: readonly FleetMode[] = ["on", "shadow", "off"];
/** If more than this share of the active runs loop, the guard itself is presumed wrong, until clearly fewer do. */
const DISTRUST = 0.5;
const TRUST_AGAIN = 0.4;
/** With fewer active runs, the share means nothing. */
const LEAST_RUNS = 10;

export function createFleetModeSwitch(
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
    /** Takes the value of the store's switch. A missing value changes nothing, so that emptying the store does not switch a fleet on. */
    hear(text: string | undefined): void {
      if (text === undefined || text === heard) return;
      heard = text;
      if (!isFleetMode(text)) notify({ kind: "switch-unreadable" });
      else {
        ofStore = text;
        decide("switch");
      }
    },
    /** Checks the option and this process's own runs again. */
    weigh(): void {
      askOption();
      const { active, looping } = counts();
      const share = active < LEAST_RUNS ? 0 : looping / active;
      isDistrusting = share > (isDistrusting ? TRUST_AGAIN : DISTRUST);
      decide("distrust");
    },
  };
}
