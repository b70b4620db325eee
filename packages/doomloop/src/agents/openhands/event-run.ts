import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptSink } from "../../transcripts/reader.ts";
import { createRunEvents } from "../../transcripts/run-events.ts";
import { createActionEvents } from "./action-events.ts";
import type { BaseState } from "./base-state.ts";
import { takeOlderEvent } from "./take-older-event.ts";

/** A run of OpenHands, event by event. */
export interface EventRun {
  /** Takes an event; false if it is none. */
  take(event: unknown): boolean;
  end(): void;
}

export interface EventRunOptions {
  /**
   * What lies beside the events.
   * @default nothing
   */
  readonly state?: BaseState | undefined;
  /**
   * The run that started this one.
   * @default none
   */
  readonly parent?: string | undefined;
  /**
   * What the whole run cost.
   * @default as the state, or the latest event, says
   */
  readonly costUsd?: number | undefined;
}

/** Creates the events of a run. Events of the SDK have a `kind`; older ones are an `action` or an `observation`. */
export function createEventRun(name: string, sink: TranscriptSink, options: EventRunOptions = {}): EventRun {
  const { state, parent } = options;
  const run = createRunEvents(name, sink);
  const takeActionEvent = createActionEvents(run, state);
  let hasBegun = false;
  let costUsd = options.costUsd || state?.costUsd || 0;

  const begin = (event: ForeignRecord): void => {
    if (!hasBegun)
      run.facts({ startedAt: timeOf(event.timestamp), project: state?.project, model: state?.model, parent });
    hasBegun = true;
  };

  return {
    take(value) {
      const event = recordOf(value);
      if (event === undefined) return false;
      if (textOf(event.kind) !== undefined) {
        begin(event);
        takeActionEvent(event);
        return true;
      }
      if (textOf(event.action) === undefined && textOf(event.observation) === undefined) return "id" in event;
      begin(event);
      takeOlderEvent(run, event);
      // The sum up to this event.
      if (!options.costUsd) costUsd = Math.max(costUsd, countOf(recordOf(event.llm_metrics)?.accumulated_cost));
      return true;
    },
    end() {
      if (!hasBegun) return;
      if (costUsd > 0) run.facts({ total: { costUsd } });
      run.end();
    },
  };
}
