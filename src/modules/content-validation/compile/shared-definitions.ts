import {
  isSchema,
  lazily,
  mapSubschemas,
  withDefinitions,
  type Definitions,
  type SchemaNode,
} from '../../../framework';
import type { Ajv2020 } from 'ajv/dist/2020';
import type { AnyValidateFunction } from 'ajv/dist/types';
import { withFiles } from '../keywords/file-keyword';
import { groupLiterals, refersToBranch } from './literal-unions';
import { isObviouslyValid, isObviouslyValidSchema } from './obviously-valid-schema';

/** A reference to a definition, with an optional pointer into it. */
export const REFERENCE = /^#\/\$defs\/([\w.-]+)(\/.*)?$/;

/** Rewrites a schema. @param root resolves its references */
export type Rewrite = (schema: SchemaNode, root: SchemaNode) => SchemaNode;

const unchanged: Rewrite = (schema) => schema;

/**
 * Definitions that many schemas have in common. Each is compiled once: a schema refers to it by an address instead of
 * including a copy.
 */
export class SharedDefinitions {
  readonly #definitions: Definitions;
  /** The definitions that were verified. */
  readonly #verified = new Set<unknown>();
  /** The definitions with references to addresses, by how they are rewritten, and by name. */
  readonly #addressed = new Map<Rewrite, Map<string, object>>();
  /** The names that were added to an instance. */
  readonly #added = new WeakMap<Ajv2020, Set<string>>();
  readonly #isReferenced = lazily(() => Object.values(this.#definitions).some(refersToBranch));

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** Returns whether a schema is certainly valid, assuming that the verified definitions are. */
  isObviouslyValid(schema: object): boolean {
    return isObviouslyValidSchema(schema, this.#verified);
  }

  /** Returns the definitions that may be invalid. All definitions count as verified afterwards. */
  findUnverified(): readonly string[] {
    return Object.entries(this.#definitions).flatMap(([name, definition]) => {
      this.#verified.add(definition);
      return isObviouslyValid(definition, this.#definitions) ? [] : [name];
    });
  }

  /**
   * Returns the schema for an instance to compile, after adding the definitions that it refers to.
   * @param rewrite rewrites the schema and each definition, always in the same way for an instance
   */
  prepare(ajv: Ajv2020, schema: object, rewrite: Rewrite = unchanged): object {
    // It may include definitions that it does not use.
    const lean = isSchema(schema) && isSchema(schema.$defs) ? withDefinitions(schema, schema.$defs) : schema;
    for (const name of this.#sharedIn(lean)) this.#addTo(ajv, name, rewrite);
    return this.withoutShared(lean, rewrite);
  }

  /** Compiles a definition of an instance. @throws Error for a reference that cannot be resolved */
  compile(ajv: Ajv2020, name: string): void {
    delete ajv.schemas[addressOf(name)]?.validate;
    ajv.getSchema(addressOf(name));
  }

  /** Replaces the shared definitions of a schema by references to their addresses. @param rewrite the rest */
  withoutShared(schema: object, rewrite: Rewrite = unchanged): object {
    if (!isSchema(schema)) return schema;
    const names = new Set(this.#sharedIn(schema));
    if (names.size === 0 || !isSchema(schema.$defs)) return rewrite(schema, schema);
    const { $defs: definitions, ...bare } = schema;
    const own = Object.entries(definitions).filter(([name]) => !names.has(name));
    const rest = own.length === 0 ? bare : { ...bare, $defs: Object.fromEntries(own) };
    return toAddresses(rewrite(rest, schema), (name) => (names.has(name) ? addressOf(name) : undefined));
  }

  /**
   * Returns none if the schema has a different definition under a shared name, because others may refer to it, and none if
   * the rest of the schema refers to a branch of a union, which a compiled definition may not have.
   */
  #sharedIn(schema: object): readonly string[] {
    if (!isSchema(schema) || !isSchema(schema.$defs)) return [];
    const { $defs: definitions, ...bare } = schema;
    const names = Object.keys(definitions).filter((name) => Object.hasOwn(this.#definitions, name));
    const isSame = names.every((name) => this.#definitions[name] === definitions[name]);
    const own = Object.entries(definitions).filter(([name]) => !Object.hasOwn(this.#definitions, name));
    const isPlain = isSame && ![bare, ...own.map(([, definition]) => definition)].some(refersToBranch);
    return isPlain ? names : [];
  }

  #addTo(ajv: Ajv2020, name: string, rewrite: Rewrite): void {
    const added = this.#added.get(ajv) ?? new Set();
    this.#added.set(ajv, added);
    if (added.has(name)) return;
    added.add(name);
    const addressed = this.#addressed.get(rewrite) ?? new Map<string, object>();
    this.#addressed.set(rewrite, addressed);
    const definition = addressed.get(name) ?? this.#addressedOf(name, rewrite);
    addressed.set(name, definition);
    ajv.addSchema(definition, addressOf(name));
    compileLater(ajv, addressOf(name));
  }

  #addressedOf(name: string, rewrite: Rewrite): object {
    const definition = rewrite(this.#definitions[name] ?? {}, { $defs: this.#definitions });
    const addressed = toAddresses(definition, (other) =>
      Object.hasOwn(this.#definitions, other) ? addressOf(other) : undefined,
    );
    return groupLiterals(withFiles(addressed), this.#isReferenced);
  }
}

/**
 * Makes Ajv compile a referenced schema when a value first reaches it, instead of together with the schema that
 * refers to it: a chain of thousands of references would overflow the stack.
 */
export function compileLater(ajv: Ajv2020, address: string): void {
  const known = ajv.schemas[address];
  if (known === undefined) return;
  const later = (...args: Parameters<AnyValidateFunction>): unknown => {
    if (known.validate === later) delete known.validate;
    const validate = ajv.getSchema(address);
    const isValid = validate?.(...args);
    // Ajv's code for `$ref` reads these of the function.
    Object.assign(later, { errors: validate?.errors, evaluated: validate?.evaluated });
    return isValid;
  };
  // Ajv only calls it.
  known.validate = later as AnyValidateFunction;
}

/** An identifier; nothing is ever fetched. A name may be `..`, which an address would resolve. */
function addressOf(name: string): string {
  return `platform:/schemas/_${name}`;
}

/** Rewrites references to definitions. @param addressOf returns the address of a definition; undefined if it has none */
export function toAddresses(schema: SchemaNode, addressOf: (name: string) => string | undefined): SchemaNode {
  const inner = mapSubschemas(schema, (one) => toAddresses(one, addressOf));
  const [, name, pointer] = typeof schema.$ref === 'string' ? (REFERENCE.exec(schema.$ref) ?? []) : [];
  const address = name === undefined ? undefined : addressOf(name);
  if (address === undefined) return inner;
  return { ...inner, $ref: address + (pointer === undefined ? '' : `#${pointer}`) };
}
