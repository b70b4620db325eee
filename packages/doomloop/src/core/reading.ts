/**
 * What a call does, as far as its name and arguments tell.
 *
 * `looks` at what only this run changes: files, code · `watches` what others, or time, may change: a service, a page, a machine ·
 * `steps`: acts, and its answer need not show what came of it: a click, a key, the next batch, a tool that nobody knows · `runs` a program
 * that nobody knows · `writes` something where it says · `says` something to somebody, or to itself: a mail, a payment, a thought, a list of
 * things to do · `asks` somebody, or has another agent work · `measures`: runs to see how it comes out: tests, a benchmark, a sensor ·
 * `waits` for a time.
 */
export type Act = "looks" | "watches" | "steps" | "runs" | "writes" | "says" | "asks" | "measures" | "waits";

/** What is known of a call before it runs; holds none of its text. */
export interface Reading {
  readonly act: Act;
  /** The call is about something that others, or time, may change. */
  readonly isOutside: boolean;
  /** The call acts on a page or a screen. */
  readonly isPage: boolean;
  /** Runs code that only the run itself sees. */
  readonly isCode: boolean;
  /** Moves along: asked again, it shows what comes next. */
  readonly isMoving: boolean;
  /** Leaves something running behind it. */
  readonly isStarting: boolean;
  /** Several commands in one: may have changed something although it failed. */
  readonly isCompound: boolean;
  /** Works on a file: by shell, as an agent's file tools would, or with a tool that names one. */
  readonly isFileOperation: boolean;
  /** Shows a file that it names, and does nothing else. */
  readonly isFileRead: boolean;
  /** Puts a text of its own somewhere. */
  readonly bringsText: boolean;
  /** Time that the call itself asks for. */
  readonly waitMs: number;
}
