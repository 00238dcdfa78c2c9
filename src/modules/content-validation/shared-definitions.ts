import { isSchema, mapSubschemas, withDefinitions, type SchemaNode } from '../../framework';
import type { AnyValidateFunction } from 'ajv/dist/types';
import type { Ajv } from './ajv';
import { withFiles } from './keywords/file-keyword';
import { isObviouslyValid, isObviouslyValidSchema } from './obviously-valid-schema';

/** Schemas by name, which refer to one another as `#/$defs/…`. */
export type Definitions = Readonly<Record<string, SchemaNode>>;

/** A reference to a definition, and a pointer to what is within it. */
const REFERENCE = /^#\/\$defs\/([\w.-]+)(\/.*)?$/;

/**
 * Definitions that many schemas have under the same names, where each is compiled once for all of them: validators know
 * them by addresses of their own, and a schema refers to these instead of bringing a copy.
 */
export class SharedDefinitions {
  readonly #definitions: Definitions;
  /** Those that were looked at. */
  readonly #right = new Set<unknown>();
  /** By name, as validators have them. */
  readonly #addressed = new Map<string, object>();
  /** The names that an instance knows. */
  readonly #known = new WeakMap<Ajv, Set<string>>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Whether a schema is right beyond doubt, but for definitions that were looked at. */
  isObviouslyValid(schema: object): boolean {
    return isObviouslyValidSchema(schema, this.#right);
  }

  /** The names of definitions that may be wrong. Others are not looked at again in each schema that has them. */
  findUnverified(): readonly string[] {
    return Object.entries(this.#definitions).flatMap(([name, definition]) => {
      this.#right.add(definition);
      return isObviouslyValid(definition, this.#definitions) ? [] : [name];
    });
  }

  /** A schema as an instance compiles it, which then knows all that it refers to. */
  prepare(ajv: Ajv, schema: object): object {
    // It may have more than it leads to.
    const lean = isSchema(schema) && isSchema(schema.$defs) ? withDefinitions(schema, schema.$defs) : schema;
    for (const name of this.#sharedIn(lean)) this.#teach(ajv, name);
    return this.withoutShared(lean);
  }

  /** Compiles a definition that an instance knows. @throws Error where it refers to what is not there */
  compile(ajv: Ajv, name: string): void {
    delete ajv.schemas[addressOf(name)]?.validate;
    ajv.getSchema(addressOf(name));
  }

  /** A schema without the definitions that it shares, with references to where they are instead. */
  withoutShared(schema: object): object {
    const names = new Set(this.#sharedIn(schema));
    if (names.size === 0 || !isSchema(schema) || !isSchema(schema.$defs)) return schema;
    const { $defs: definitions, ...bare } = schema;
    const own = Object.entries(definitions).filter(([name]) => !names.has(name));
    const rest = own.length === 0 ? bare : { ...bare, $defs: Object.fromEntries(own) };
    return toSharedAddresses(rest, (name) => names.has(name));
  }

  /** None where a schema has another one under the name of a shared one, as others may refer to it. */
  #sharedIn(schema: object): readonly string[] {
    const definitions = isSchema(schema) ? schema.$defs : undefined;
    if (!isSchema(definitions)) return [];
    const names = Object.keys(definitions).filter((name) => Object.hasOwn(this.#definitions, name));
    return names.every((name) => this.#definitions[name] === definitions[name]) ? names : [];
  }

  #teach(ajv: Ajv, name: string): void {
    const known = this.#known.get(ajv) ?? new Set();
    this.#known.set(ajv, known);
    if (known.has(name)) return;
    known.add(name);
    const made =
      this.#addressed.get(name) ??
      withFiles(
        toSharedAddresses(this.#definitions[name] ?? {}, (other) => Object.hasOwn(this.#definitions, other)),
      );
    this.#addressed.set(name, made);
    ajv.addSchema(made, addressOf(name));
    compileLater(ajv, addressOf(name));
  }
}

/**
 * Lets a schema that others refer to be compiled when a value first reaches it, and not with them: they may lead to one
 * another by thousands, deeper than there is room for on the stack.
 */
function compileLater(ajv: Ajv, address: string): void {
  const known = ajv.schemas[address];
  if (known === undefined) return;
  const later = (...args: Parameters<AnyValidateFunction>): unknown => {
    if (known.validate === later) delete known.validate;
    const validate = ajv.getSchema(address);
    const isRight = validate?.(...args);
    // What those that refer to it read of it (Ajv's code for `$ref`).
    Object.assign(later, { errors: validate?.errors, evaluated: validate?.evaluated });
    return isRight;
  };
  // Ajv calls it, and asks it for no more than that.
  known.validate = later as AnyValidateFunction;
}

/** Nothing is ever fetched from there. */
function addressOf(name: string): string {
  return `platform:/schemas/${name}`;
}

function toSharedAddresses(schema: SchemaNode, isShared: (name: string) => boolean): SchemaNode {
  const inner = mapSubschemas(schema, (one) => toSharedAddresses(one, isShared));
  const [, name, pointer] = typeof schema.$ref === 'string' ? (REFERENCE.exec(schema.$ref) ?? []) : [];
  if (name === undefined || !isShared(name)) return inner;
  return { ...inner, $ref: addressOf(name) + (pointer === undefined ? '' : `#${pointer}`) };
}
