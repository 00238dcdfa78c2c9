import { type JsonObject, listOf, isObject } from '../../framework';
import type { JsonSchema } from '../documentation';
import { childPointer, textOf } from './document/json';
import type { ImportWarnings } from './import-warnings';
import type { DocumentReferences } from './document/references';
import { isObjectOnly, memberParameters } from './object-parameter';
import type { SchemaConverter } from './schemas/schema-converter';

/** The shared parts of an import. */
export interface ImportContext {
  readonly references: DocumentReferences;
  readonly schemas: SchemaConverter;
  readonly warnings: ImportWarnings;
  /** Those of the operations so far. */
  readonly operationIds: Set<string>;
}

/** A parameter of path or query. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  /** JSON Pointer of its declaration. */
  readonly pointer: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** Whether it is for a member of an object, which the document declares as the parameter. */
  readonly isMember: boolean;
}

/** The declaration of a parameter. */
interface DescribedParameter {
  readonly parameter: JsonObject;
  readonly pointer: string;
}

/**
 * Returns the parameters of an operation: its own, and those of its path that it does not override (OpenAPI 3.1.1,
 * 4.8.9.1).
 * @param at JSON Pointer of the path
 */
export function parametersOf(
  item: JsonObject,
  operation: JsonObject,
  pointer: string,
  at: string,
  context: ImportContext,
): readonly Parameter[] {
  const all = new Map([
    ...described(item.parameters, childPointer(at, 'parameters'), context),
    ...described(operation.parameters, childPointer(pointer, 'parameters'), context),
  ]);
  const found = [...all.values()].flatMap((each) => parametersFor(each, context));
  // A member of an object may have the name of another parameter, which is the one that the document declares.
  const parameters = new Map<string, Parameter>();
  for (const one of [...found.filter((each) => !each.isMember), ...found.filter((each) => each.isMember)]) {
    const key = JSON.stringify([one.place, one.name]);
    if (parameters.has(key))
      context.warnings.add(`duplicate parameter "${one.name}" in ${one.place}`, one.pointer);
    else parameters.set(key, one);
  }
  const kept = new Set(parameters.values());
  return found.filter((one) => kept.has(one));
}

/** Returns the parameters of a list by location and name, which must be unique (OpenAPI 3.1.1, 4.8.10.1). */
function described(
  list: unknown,
  pointer: string,
  { references, warnings }: ImportContext,
): Map<string, DescribedParameter> {
  const found = new Map<string, DescribedParameter>();
  if (list !== undefined && !Array.isArray(list)) warnings.add('parameters is not a list', pointer);
  for (const [at, one] of listOf(list).entries()) {
    const location = childPointer(pointer, at);
    const parameter = references.resolve(one);
    const { in: place, name } = parameter;
    const key = JSON.stringify([place, name]);
    if (typeof name !== 'string' || name === '' || name === '__proto__')
      warnings.add('parameter without a name', location);
    else if (found.has(key)) warnings.add(`duplicate parameter "${name}" in ${textOf(place)}`, location);
    else found.set(key, { parameter, pointer: location });
  }
  return found;
}

/** What parameters for the members of an object cannot express. */
const LOST: readonly string[] = ['description', 'default', 'minProperties', 'maxProperties'];

/** Returns the parameters of the platform for one of a document: none, one, or those for the members of an object. */
function parametersFor(
  { parameter, pointer }: DescribedParameter,
  context: ImportContext,
): readonly Parameter[] {
  const { in: place, required, content, schema, style, explode, allowEmptyValue } = parameter;
  const { warnings } = context;
  if (place !== 'path' && place !== 'query') {
    warnings.add(`unsupported parameter in ${textOf(place) || 'unknown'}`, pointer);
    return [];
  }
  if (allowEmptyValue === true) warnings.add('"allowEmptyValue" of a parameter', pointer);
  const converted = schemaOf(parameter, pointer, context);
  const members = place === 'query' ? memberParameters(parameter, converted) : undefined;
  if (members !== undefined) {
    warnings.add('query parameter that is an object (imported as a parameter for each member)', pointer);
    for (const keyword of LOST)
      if (converted[keyword] !== undefined)
        warnings.add(`"${keyword}" of a query parameter that is an object`, pointer);
    return members.map(({ member, schema: own, ...rest }) => {
      const at = ['schema', 'properties', member].reduce(childPointer, pointer);
      return {
        ...rest,
        place: 'query',
        pointer,
        schema: context.schemas.withValidText(own, at),
        isMember: true,
      };
    });
  }
  const isList = isObject(schema) && context.references.resolve(schema).type === 'array';
  if (
    isObject(content) ||
    (typeof style === 'string' && !['form', 'simple'].includes(style)) ||
    (isList && explode === false && place === 'query')
  ) {
    warnings.add('serialization of a parameter', pointer);
  }
  if (place === 'query' && isObjectOnly(converted)) {
    warnings.add('query parameter that is an object', pointer);
    return [];
  }
  const name = textOf(parameter.name);
  return [{ name, place, pointer, required: required === true, schema: converted, isMember: false }];
}

/** Returns the schema of a parameter with the annotations of the parameter. */
function schemaOf(parameter: JsonObject, pointer: string, context: ImportContext): JsonSchema {
  const { schemas, references, warnings } = context;
  warnAboutExamples(parameter.examples, pointer, warnings);
  const { description, example, examples, deprecated, schema } = parameter;
  const firstExample = exampleOf(example, examples, references);
  return {
    ...schemas.convertInlined(schema, childPointer(pointer, 'schema')),
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...(firstExample === undefined ? {} : { examples: [firstExample] }),
  };
}

export function warnAboutExamples(examples: unknown, pointer: string, warnings: ImportWarnings): void {
  if (isObject(examples) && Object.keys(examples).length > 1) {
    warnings.add('additional examples', pointer);
  }
}

/** Returns the first example of a parameter or media type. */
export function exampleOf(example: unknown, examples: unknown, references: DocumentReferences): unknown {
  if (example !== undefined) return references.inlineExamples(example);
  const [first] = isObject(examples) ? Object.values(examples) : [];
  return isObject(first) ? references.inlineExamples(references.resolve(first).value) : undefined;
}
