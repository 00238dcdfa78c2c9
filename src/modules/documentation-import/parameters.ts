import type { JsonSchema } from '../documentation';
import { below, isObject, textOf, type JsonObject } from './json';
import type { Losses } from './losses';
import type { References } from './references';
import type { Schemas } from './schema';

/** What an import works with. */
export interface Tools {
  readonly references: References;
  readonly schemas: Schemas;
  readonly losses: Losses;
}

/** A parameter that can be taken over. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  /** Where it is described. */
  readonly pointer: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** A parameter as it is described, and where. */
interface Described {
  readonly parameter: JsonObject;
  readonly pointer: string;
}

/**
 * The parameters of an operation: its own, and those of its path that it does not declare anew (OpenAPI 3.1.1,
 * 4.8.9.1).
 * @param at where the path stands, as a JSON Pointer
 */
export function parametersOf(
  item: JsonObject,
  operation: JsonObject,
  pointer: string,
  at: string,
  tools: Tools,
): readonly Parameter[] {
  const all = new Map([
    ...described(item.parameters, below(at, 'parameters'), tools),
    ...described(operation.parameters, below(pointer, 'parameters'), tools),
  ]);
  return [...all.values()].flatMap((one) => parameterOf(one, tools) ?? []);
}

/** The parameters of a list, by place and name; each may be there once (OpenAPI 3.1.1, 4.8.10.1). */
function described(list: unknown, pointer: string, { references, losses }: Tools): Map<string, Described> {
  const found = new Map<string, Described>();
  if (list !== undefined && !Array.isArray(list)) losses.note('parameters that are no list', pointer);
  for (const [at, one] of (Array.isArray(list) ? list : []).entries()) {
    const here = below(pointer, at);
    const parameter = references.resolve(one);
    const { in: place, name } = parameter;
    const key = JSON.stringify([place, name]);
    if (typeof name !== 'string' || name === '' || name === '__proto__')
      losses.note('a parameter without a name', here);
    else if (found.has(key)) losses.note(`a further parameter "${name}" in the ${textOf(place)}`, here);
    else found.set(key, { parameter, pointer: here });
  }
  return found;
}

function parameterOf({ parameter, pointer }: Described, tools: Tools): Parameter | undefined {
  const { in: place, required, content, schema, style, explode, allowEmptyValue } = parameter;
  const { losses } = tools;
  if (place !== 'path' && place !== 'query') {
    losses.note(`a parameter in the ${textOf(place) || 'unknown'}`, pointer);
    return undefined;
  }
  const isList = isObject(schema) && tools.references.resolve(schema).type === 'array';
  if (
    isObject(content) ||
    (typeof style === 'string' && !['form', 'simple'].includes(style)) ||
    (isList && explode === false)
  ) {
    losses.note('how a parameter is written', pointer);
  }
  if (allowEmptyValue === true) losses.note('"allowEmptyValue" of a parameter', pointer);
  return {
    name: textOf(parameter.name),
    place,
    pointer,
    required: required === true,
    schema: schemaOf(parameter, pointer, tools),
  };
}

/** The schema of a parameter with what the parameter itself says. */
function schemaOf(parameter: JsonObject, pointer: string, tools: Tools): JsonSchema {
  const { schemas, references, losses } = tools;
  noteFurther(parameter.examples, pointer, losses);
  const { description, example, examples, deprecated, schema } = parameter;
  const shown = exampleOf(example, examples, references);
  return {
    ...schemas.flat(schema, below(pointer, 'schema')),
    ...(typeof description === 'string' ? { description } : {}),
    ...(deprecated === true ? { deprecated } : {}),
    ...(shown === undefined ? {} : { examples: [shown] }),
  };
}

export function noteFurther(examples: unknown, pointer: string, losses: Losses): void {
  if (isObject(examples) && Object.keys(examples).length > 1) {
    losses.note('examples beyond the first', pointer);
  }
}

/** The first of the examples that a parameter or a media type gives. */
export function exampleOf(example: unknown, examples: unknown, references: References): unknown {
  if (example !== undefined) return references.written(example);
  const [first] = isObject(examples) ? Object.values(examples) : [];
  return isObject(first) ? references.written(references.resolve(first).value) : undefined;
}
