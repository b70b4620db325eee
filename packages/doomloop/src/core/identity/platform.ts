/** What the core cannot find out in plain JavaScript. The entry point provides it. */
export interface Platform {
  /** Whether a value is a `Proxy`, without running its traps. */
  isProxy(value: object): boolean;
  /** What makes two instances of a platform class equal, such as `URL` and `Headers`; undefined for other values. */
  readOwnClass?(value: object): string | undefined;
  /** Warns of a fault if the host has no `onFault`. */
  warn?(fault: unknown): void;
}
