import type { HostAbilities } from "../../packages/doomloop/src/host/abilities.ts";
import type { HostOptions, LoopStop } from "../../packages/doomloop/src/host/host-options.ts";

/** A call that the scripted model makes. */
export interface ScriptedCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Set where the provider runs the tool by itself: what it answers. */
  readonly providerOutput?: string;
}

/** One answer of the scripted model: words, calls, or both. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** What the model thinks before it answers, where the host shows that. */
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
}

/** A tool as the contract writes it; the driver makes the framework's own of it. */
export interface ScriptedTool {
  readonly name: string;
  /** Takes any object as arguments. May throw, return text or an object, at once or later. */
  run(args: unknown): unknown;
  /** A human must agree first. */
  readonly needsApproval?: boolean;
  /** The provider runs it: `run` is never called. */
  readonly isProviderExecuted?: boolean;
}

/** A piece of a message, whatever the wire format calls it. */
export type WirePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly id: string }
  | { readonly type: "result"; readonly id: string; readonly text: string };

export interface WireMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly parts: readonly WirePart[];
}

/** A request as the model got it. */
export interface HostRequest {
  /** All of it, without clocks and random ids: compared byte for byte. */
  readonly raw: unknown;
  readonly messages: readonly WireMessage[];
}

/** What came of a run. */
export interface HostReport {
  readonly requests: readonly HostRequest[];
  /** What the host gave back, without clocks and random ids: compared byte for byte. */
  readonly outcome?: unknown;
  /** What the run was rejected with. */
  readonly error?: unknown;
  /** How often a human was asked. */
  readonly approvals?: number;
  /** The end of the run as the host hands it over, read in its own way and not through `onStop`. */
  readonly stop?: LoopStop | undefined;
  /** What an end user gets to see as the agent's last answer. */
  readonly answer?: string | undefined;
}

export interface RunHow {
  readonly isStreaming?: boolean;
  /** Under the limits that the host has where nobody sets any: steps, turns, recursion. */
  readonly hasDefaultLimits?: boolean;
  /** With which the run is aborted, or the call where the host has no run. */
  readonly signal?: AbortSignal;
  /** The human who is asked rejects each call, and the run goes on. */
  readonly isRejected?: boolean;
}

/** A framework, wired once. Its runs may happen at the same time. */
export interface WiredHost {
  /** Runs a script from a new user message to its end. Never rejects. */
  run(script: readonly ScriptedAnswer[], how?: RunHow): Promise<HostReport>;
}

/** What a framework may lack, with the reason that the skipped test shows. */
export type HostFeature =
  | "streaming"
  | "parallel"
  | "approval"
  | "provider-executed"
  | "concurrent"
  | "repeated-ids"
  | "empty-ids"
  | "text"
  | "reasoning"
  | "instances"
  | "abort"
  | "rejection"
  /** The host tells a tool that failed from one that returned. */
  | "errors"
  /** What the host gives back has the results of tools in it. */
  | "results"
  /** The model can be told something beside a result that is JSON. */
  | "json-words"
  /** The adapter reads what the user asked for. */
  | "request";

/** How the contract drives a framework. Keep it small: it holds no expectation. */
export interface AdapterDriver {
  readonly abilities: HostAbilities;
  /**
   * Every run starts a process that takes seconds. A build then checks single runs only; `DOOMLOOP_CAMPAIGNS=full` checks everything.
   * @default false
   */
  readonly isCostly?: boolean;
  readonly lacks?: Partial<Readonly<Record<HostFeature, string>>>;
  /** Wires tools and framework: with the adapter and these options, or without the adapter if they are undefined. */
  wire(tools: readonly ScriptedTool[], options: HostOptions | undefined): WiredHost;
}

/** The answer to the request of this number, from 0; the model ends by itself when its script is over. */
export function answerAt(script: readonly ScriptedAnswer[], request: number): ScriptedAnswer {
  return script[request] ?? { text: "The script is over." };
}
