import { immutable } from '../../../framework';
import type { FieldData, JsonSchema } from './data';

/** The JSON of a field. */
export interface FieldJson {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly type: string;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** A configured field of a service (specification 2.5). */
export class Field {
  readonly #data: FieldData;
  readonly #fields: readonly Field[];

  constructor(data: FieldData) {
    this.#data = immutable(data);
    this.#fields = Object.freeze((this.#data.fields ?? []).map((field) => new Field(field)));
    Object.freeze(this);
  }

  getName(): string {
    return this.#data.name;
  }

  getDescription(): string {
    return this.#data.description;
  }

  isRequired(): boolean {
    return this.#data.required;
  }

  /** A human-readable name; {@link getSchema} is the exact type. */
  getType(): string {
    return this.#data.type;
  }

  getSchema(): JsonSchema {
    return this.#data.schema;
  }

  /** Undefined if there is none; `null` is a possible example. */
  getExample(): unknown {
    return this.#data.example;
  }

  /** The members of an object, or of the objects in an array. */
  getFields(): readonly Field[] {
    return this.#fields;
  }

  /** Whether members are omitted because they are too many or too deep; the schema has them. */
  isCut(): boolean {
    return this.#data.cut ?? false;
  }

  toJSON(): FieldJson {
    return fieldJson(this.#data);
  }
}

/** Returns the JSON of a field. */
export function fieldJson({
  name,
  description,
  required,
  type,
  schema,
  example = null,
}: FieldData): FieldJson {
  return { name, description, required, type, schema, example };
}
