/** What the core cannot find out in plain JavaScript; the entry point that knows the platform fills it in. */
export interface Platform {
  /** Whether a value is a `Proxy`, asked without running its traps. */
  isProxy(value: object): boolean;
  /** What makes two values of one of the platform's own classes equal, such as `URL` and `Headers`; undefined for others. */
  readOwnClass?(value: object): string | undefined;
  /** Warns of a fault where the host has no `onFault`. */
  warn?(fault: unknown): void;
}
