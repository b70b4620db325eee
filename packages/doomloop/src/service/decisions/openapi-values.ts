import { LATEST_TIME } from "../../core/outcome/read-outcome.ts";

/** A JSON Schema, as far as the description of the service needs it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

export const text = (description: string): Schema => ({ type: "string", description });
/** A number within a range, so that generated clients take a type that is large enough. */
export const number = (description: string, minimum: number, maximum: number): Schema => ({
  ...{ type: "number", minimum, maximum, description },
});
export const whole = (description: string, minimum = 0, maximum = Number.MAX_SAFE_INTEGER): Schema => ({
  ...{ type: "integer", format: "int64", minimum, maximum, description },
});
/** A time in milliseconds. */
export const time = (description: string): Schema => number(description, -LATEST_TIME, LATEST_TIME);
/** One of these words, or one that is not known yet: a client that was generated today reads the answers of tomorrow. */
export const word = (words: readonly string[], description: string): Schema => ({
  anyOf: [{ type: "string", enum: words }, { type: "string" }],
  description: `${description} There may be others one day.`,
});
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const anything = (description: string): Schema => ({ description });
/** Numbers by name. */
export const counts = (description: string): Schema => ({
  type: "object",
  additionalProperties: whole("How often."),
  description,
});

export const nullable = ({ type, ...schema }: Schema): Schema => ({ ...schema, type: [type as string, "null"] });

/** With whatever fields. Generators take an object whose fields are not described for one that has none. */
export const anyObject = (description: string): Schema => ({ type: "object", additionalProperties: true, description });

/** An object of a client. A field that is not known is refused. */
export const closed = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  ...object(properties, required),
  additionalProperties: false,
});

export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: "object",
  properties,
  required,
});
