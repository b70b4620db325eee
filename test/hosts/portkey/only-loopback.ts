import { Server } from "node:net";

/**
 * Is loaded into the gateway before it starts. The gateway has no option for the address that it listens on and would take all of them, and
 * it does not say which port it got. Nothing else is changed.
 */
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, port: unknown, ...rest: unknown[]) {
  const callback = rest.find((value) => typeof value === "function");
  this.once("listening", () => process.send?.(this.address()));
  return Reflect.apply(listen, this, [port, "127.0.0.1", ...(callback === undefined ? [] : [callback])]);
} as typeof listen;
