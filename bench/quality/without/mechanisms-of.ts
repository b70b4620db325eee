import { type Mechanism, mechanisms } from "./mechanisms.ts";

/** All of them are meant, to be named or to be tried one after the other. */
const ALL = ["list", "each"];

/** The mechanisms of these names. Throws an error whose message is meant for whoever wrote them. */
export function mechanismsOf(names: readonly string[]): readonly Mechanism[] {
  if (names.length === 1 && ALL.includes(names[0]!)) return mechanisms;
  return names.map((name) => {
    const mechanism = mechanisms.find((each) => each.name === name);
    if (mechanism === undefined)
      throw new Error(`--without: there is no mechanism named ${name}; --without list names them all`);
    return mechanism;
  });
}
