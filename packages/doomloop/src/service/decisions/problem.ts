import { STATUS_CODES } from "node:http";

/** A request that cannot be answered, as RFC 9457 describes it. */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }

  /** The body that says so. */
  toJSON(): object {
    return { type: "about:blank", title: STATUS_CODES[this.status], status: this.status, detail: this.message };
  }
}
