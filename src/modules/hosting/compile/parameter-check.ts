import type { TSchema } from '@sinclair/typebox';
import { listItems, listOf, objectOf, problem, type MvcEvent, type SchemaNode } from '../../../framework';
import type { Validators } from '../../content-validation';
import { compileOrThrow } from './compile-context';

/** Checks route parameters against their schemas. */
export interface ParameterCheck {
  /** Names of the parameters with a restricting schema. */
  readonly names: readonly string[];
  /** @throws Problem 404 */
  readonly check: (event: MvcEvent) => void;
}

/** Annotations, which restrict no value. */
const ANNOTATIONS = ['title', 'description', 'examples', 'deprecated', '$comment'];

/** Texts that are the same in a query: most numbers and names. */
const UNENCODED = /^[\w.-]+$/;

/** Whether a parameter accepts any text. */
function acceptsAnyText(schema: TSchema): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) =>
      (keyword === 'type' && value === 'string') || ANNOTATIONS.includes(keyword) || keyword.startsWith('x-'),
  );
}

/**
 * Compiles the check of the declared route parameters. A URL whose parameters do not match identifies no resource
 * (404; RFC 9110, 15.5.5). Parameters stay text.
 *
 * @param identifiers names of the parameters that identify an entity
 * @param identifier the one that only paths of entities have; null for none
 * @returns undefined if every parameter accepts any text
 * @throws ConfigurationError for an invalid schema
 */
export function parameterCheckOf(
  validators: Validators,
  parameters: Readonly<Record<string, TSchema>>,
  {
    service,
    identifiers,
    identifier,
    where,
  }: { service: string; identifiers: readonly string[]; identifier: string | null; where: string },
): ParameterCheck | undefined {
  const checked = Object.entries(parameters).filter(([, schema]) => !acceptsAnyText(schema));
  if (checked.length === 0) return undefined;
  const checks = checked.map(([name, schema]) => ({
    name,
    matches: compileOrThrow(() => textCheck(validators, schema), `${where}: the parameter ${name}`),
  }));
  const check: ParameterCheck['check'] = ({ parameters: given, request }) => {
    for (const { name, matches } of checks) {
      const text = given[name];
      if (text === undefined || matches(text)) continue;
      if (identifier !== null && identifiers.includes(name) && given[identifier] !== undefined) {
        const id = identifiers.map((one) => given[one]).join('/');
        throw problem('entity_not_found', { service, id });
      }
      throw problem('route_not_found', { path: request.path });
    }
  };
  return Object.freeze({ names: checks.map(({ name }) => name), check });
}

/**
 * Returns a predicate that converts a text to the schema's type and validates it. The items of a list are separated by
 * commas, as clients send them in a path (OpenAPI 3.1.1, 4.8.12.3: the style "simple").
 */
function textCheck(validators: Validators, schema: TSchema): (text: string) => boolean {
  if (schema.type === 'string') {
    const validate = validators.asIs(schema);
    return (text) => 'value' in validate(text);
  }
  const query = { type: 'object', properties: { text: schema } };
  const validate = validators.forQuery(query);
  if (schema.type === 'array') {
    // The values of an enumeration may have commas.
    const choices = choicesOf(objectOf(schema.items));
    return (text) =>
      'value' in validate(new URLSearchParams(listItems(text, choices).map((item) => ['text', item])));
  }
  const read = validators.queryReader(query);
  return (text) =>
    (UNENCODED.test(text) && read?.(`text=${text}`) !== undefined) ||
    'value' in validate(new URLSearchParams([['text', text]]));
}

/** The values of an enumeration, or of a union of literals, each of which may have a description. */
function choicesOf({ enum: values, anyOf, oneOf }: SchemaNode): readonly unknown[] {
  return [...listOf(values), ...[anyOf, oneOf].flatMap(listOf).flatMap((one) => objectOf(one).const ?? [])];
}
