import {
  definitionPath,
  isAnnotation as hasNoAssertion,
  isSchema,
  listOf,
  parseFragment,
  resolveReference,
} from '../../../../framework';
import type { JsonSchema } from '../data';

/** Schemas that apply together; more are probably malicious. */
const MAX_PARTS = 100;

/** A schema with the schemas that `$ref` and `allOf` add. */
export interface SchemaParts {
  /** The schema itself first; none for `false`. */
  readonly parts: readonly JsonSchema[];
  /** The references that were followed. */
  readonly references: readonly string[];
  /** The reference of a schema that consists of one, perhaps with annotations; empty for none. */
  readonly reference: string;
  /** Whether no value is valid. */
  readonly isNever: boolean;
  /** Whether parts are missing: unresolvable references, or too many. */
  readonly isCut: boolean;
}

/** Returns the schemas that apply together. @param root the schema in which references are resolved */
export function partsOf(schema: unknown, root: JsonSchema): SchemaParts {
  const parts: JsonSchema[] = [];
  const references: string[] = [];
  let [isNever, isCut] = [false, false];
  const open: unknown[] = [schema];
  // The loop visits appended schemas as well.
  for (const one of open) {
    if (one === false) isNever = true;
    if (!isSchema(one) || parts.includes(one)) continue;
    if (parts.length >= MAX_PARTS) {
      isCut = true;
      break;
    }
    parts.push(one);
    if (isEverything(one.not)) isNever = true;
    if (typeof one.$ref === 'string' && !references.includes(one.$ref)) {
      const target = resolve(one.$ref, root);
      references.push(one.$ref);
      if (target === undefined) isCut = true;
      else open.push(target);
    }
    for (const part of listOf(one.allOf)) open.push(part);
  }
  return { parts, references, reference: referenceOf(schema), isNever, isCut };
}

function isEverything(schema: unknown): boolean {
  return schema === true || (isSchema(schema) && Object.keys(schema).length === 0);
}

/** A definition may be `true` or `false`. */
function resolve(reference: string, root: JsonSchema): unknown {
  const target = resolveReference(root, reference);
  if (target !== undefined) return target;
  const [name, ...below] = definitionPath(reference);
  const definitions = root.$defs;
  if (name === undefined || below.length > 0 || !isSchema(definitions) || !Object.hasOwn(definitions, name))
    return undefined;
  return typeof definitions[name] === 'boolean' ? definitions[name] : undefined;
}

/** Whether a keyword next to a reference does not change what it allows. */
export function isAnnotation(keyword: string): boolean {
  return hasNoAssertion(keyword) || keyword === '$defs' || keyword === 'example';
}

/** Returns the only reference of a schema without keywords other than annotations, also in an `allOf`. */
function referenceOf(schema: unknown): string {
  if (!isSchema(schema)) return '';
  const others = Object.keys(schema).filter((keyword) => keyword !== '$ref' && keyword !== 'allOf');
  if (!others.every(isAnnotation)) return '';
  const all: readonly unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  if (typeof schema.$ref === 'string') return all.length === 0 ? schema.$ref : '';
  const [only] = all;
  return all.length === 1 && isSchema(only) && Object.keys(only).length === 1 ? referenceOf(only) : '';
}

/** Returns the name of the referenced definition, e.g. `Pet` for `#/$defs/Pet`. */
export function nameOfReference(reference: string, root: JsonSchema): string {
  if (reference === '') return '';
  if (reference === '#') return typeof root.title === 'string' ? root.title : 'the whole schema';
  if (reference.startsWith('#/')) return parseFragment(reference).at(-1) ?? '';
  return reference.slice(reference.lastIndexOf('/') + 1);
}
