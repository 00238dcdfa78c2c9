import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { treeOf, type DocumentedOperation } from './docs-call';

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Documented, but not there yet: nothing to compare. */
const NOT_IMPLEMENTED = 501;

/**
 * What is not true of the documentation of an operation, by an answer to its own examples.
 * @param closed guests are said to be refused, and a guest asked
 */
export function differencesOf(
  { operation, document }: DocumentedOperation,
  { status, contentType, text }: Answer,
  closed: boolean,
): readonly string[] {
  const documented = treeOf(operation.responses)[String(status)];
  if (documented === undefined) return [`answers ${status}, which is not documented`];
  // Where no adapter is mapped, no scheme is there to be named: a refusal that is documented is true all the same.
  if ([401, 403].includes(status)) return [];
  if (closed) return [`answers a guest with ${status}, though it needs a user`];
  if (status === NOT_IMPLEMENTED) return [];
  if (status >= 400) return [`refuses its own examples with ${status}: ${detailOf(text).replace(/\.$/, '')}`];
  const content = treeOf(treeOf(documented).content);
  const types = Object.keys(content);
  if (types.length === 0)
    return text === '' ? [] : [`answers ${status} with a body, which is not documented`];
  const essence = contentType.replace(/;.*/, '').trim();
  const media = content[contentType] ?? content[essence];
  if (media === undefined) return [`answers in ${contentType || 'no type'}, not in ${types.join(' or ')}`];
  const { schema } = treeOf(media);
  return schema === undefined || !/[/+]json$/.test(essence) ? [] : mismatches(schema, document, text);
}

function mismatches(schema: unknown, document: object, text: string): readonly string[] {
  const ajv = addFormats(new Ajv2020({ allErrors: true, strict: false, logger: false }));
  const validate = ajv.compile({ ...pick(document, 'components'), ...treeOf(schema) });
  try {
    validate(JSON.parse(text));
  } catch {
    return ['answers with what is no JSON'];
  }
  return (validate.errors ?? []).map(
    ({ instancePath, message = 'is wrong' }) =>
      `answers with what its schema does not allow: ${instancePath || 'the whole'} ${message}`,
  );
}

function pick(document: object, name: string): object {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key === name));
}

function detailOf(text: string): string {
  try {
    const { detail } = treeOf(JSON.parse(text));
    return typeof detail === 'string' ? detail : text;
  } catch {
    return text.slice(0, 200);
  }
}
