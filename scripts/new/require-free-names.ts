const NOT_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\\n]|\\.)*"|`[^`]*`/g;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/** Throws if a name that is given to something new is one that the code around it uses already, for itself or from elsewhere. */
export function requireFreeNames(code: string, names: readonly string[]): void {
  const used = new Set(code.replaceAll(NOT_CODE, " ").match(IDENTIFIER) ?? []);
  const taken = names.find((name) => used.has(name));
  if (taken !== undefined)
    throw new Error(`new: ${taken} is reserved, since the code around it uses that name already`);
}
