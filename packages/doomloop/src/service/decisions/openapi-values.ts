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
  readonly format?: string;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
}

export const text = (description: string): Schema => ({ type: "string", description });
export const number = (description: string): Schema => ({ type: "number", description });
export const whole = (description: string): Schema => ({ type: "integer", minimum: 0, description });
export const flag = (description: string): Schema => ({ type: "boolean", description });
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const anything = (description: string): Schema => ({ description });
/** Numbers by name. */
export const counts = (description: string): Schema => ({
  type: "object",
  additionalProperties: { type: "integer" },
  description,
});

export const nullable = ({ type, ...schema }: Schema): Schema => ({ ...schema, type: [type as string, "null"] });

export const anyObject = (description: string): Schema => ({ type: "object", description });

export const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: "object",
  properties,
  required,
});
