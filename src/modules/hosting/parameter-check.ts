import type { TSchema } from '@sinclair/typebox';
import { problem, type MvcEvent } from '../../framework';
import type { Validators } from '../content-validation';
import { compiled } from './compiled';

/** Holds the parameters of a request's route to their schemas. */
export interface ParameterCheck {
  /** Those that may not be any text. */
  readonly names: readonly string[];
  /** @throws Problem 404 */
  readonly check: (event: MvcEvent) => void;
}

/** What says nothing of a text but to readers. */
const OF_READERS = ['title', 'description', 'examples', 'deprecated', '$comment'];

/** A parameter that is any text. */
function isOpen(schema: TSchema): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) =>
      (keyword === 'type' && value === 'string') || OF_READERS.includes(keyword) || keyword.startsWith('x-'),
  );
}

/**
 * The check of the parameters that a service declares: an address whose parameters are not as documented is none of
 * anything (RFC 9110, 15.5.5). They stay the text that they are.
 *
 * @param identifier the parameter of the entity; null where there is none
 * @returns undefined where any text will do
 * @throws StartError for a schema that is none
 */
export function parameterCheckOf(
  validators: Validators,
  parameters: Readonly<Record<string, TSchema>>,
  { service, identifier, where }: { service: string; identifier: string | null; where: string },
): ParameterCheck | undefined {
  const checked = Object.entries(parameters).filter(([, schema]) => !isOpen(schema));
  if (checked.length === 0) return undefined;
  const checks = checked.map(([name, schema]) => ({
    name,
    isRight: compiled(() => textCheck(validators, schema), `${where}: the parameter ${name}`),
  }));
  const check: ParameterCheck['check'] = ({ parameters: given, request }) => {
    for (const { name, isRight } of checks) {
      const text = given[name];
      if (text === undefined || isRight(text)) continue;
      if (name === identifier) throw problem('entity_not_found', { service, id: text });
      throw problem('route_not_found', { path: request.path });
    }
  };
  return Object.freeze({ names: checks.map(({ name }) => name), check });
}

/** Whether a text is what a schema says, turned into the type that it wants. */
function textCheck(validators: Validators, schema: TSchema): (text: string) => boolean {
  if (schema.type === 'string') {
    const validate = validators.asIs(schema);
    return (text) => 'value' in validate(text);
  }
  const validate = validators.forQuery({ type: 'object', properties: { text: schema } });
  return (text) => 'value' in validate(new URLSearchParams([['text', text]]));
}
