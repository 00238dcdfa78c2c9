import type { JsonSchema } from '../documentation';
import { below, isObject, objectsOf, textOf, type JsonObject } from './json';
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
interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** The parameters of an operation: its own, and those of its path that it does not declare anew (OpenAPI 3.1.1, 4.8.9.1). */
export function parametersOf(
  item: JsonObject,
  operation: JsonObject,
  pointer: string,
  tools: Tools,
): readonly Parameter[] {
  const all = [...objectsOf(item.parameters), ...objectsOf(operation.parameters)].map((one) =>
    tools.references.resolve(one),
  );
  const own = new Map(all.map((one) => [`${textOf(one.in)} ${textOf(one.name)}`, one]));
  return [...own.values()].flatMap((one) => parameterOf(one, below(pointer, textOf(one.name)), tools) ?? []);
}

function parameterOf(parameter: JsonObject, pointer: string, tools: Tools): Parameter | undefined {
  const { in: place, name, required, content, schema, style, explode } = parameter;
  const { losses } = tools;
  if ((place !== 'path' && place !== 'query') || typeof name !== 'string') {
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
  return { name, place, required: required === true, schema: described(parameter, pointer, tools) };
}

/** The schema of a parameter with what the parameter itself says. */
function described(parameter: JsonObject, pointer: string, tools: Tools): JsonSchema {
  const { schemas, references, losses } = tools;
  losses.noteExtensions(parameter, 'a parameter', pointer);
  noteFurther(parameter.examples, pointer, losses);
  const { description, example, examples, deprecated, schema } = parameter;
  const shown = exampleOf(example, examples, references);
  return {
    ...schemas.flat(schema, pointer),
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
