import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { objectOf, type JsonObject } from '../../framework';
import type { DocumentedOperation } from './documented-calls';

/** A response of the service. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Imported operations without a handler: nothing to compare. */
const NOT_IMPLEMENTED = 501;

/** Whether the text of a response is compared, and not only its status and type. */
export function comparesText(
  { operation }: DocumentedOperation,
  { status, contentType }: Omit<Answer, 'text'>,
): boolean {
  const hasContent = Object.keys(contentOf(operation, status)).length > 0;
  return status >= 400 || !hasContent || isJson(essenceOf(contentType));
}

/**
 * Lists the differences between the documentation of an operation and the response to its own examples.
 * @param closed whether the documentation says that guests are refused, as which the request was sent
 * @param guessed whether the entity of the request may not exist
 */
export function differencesOf(
  { operation, document }: DocumentedOperation,
  { status, contentType, text }: Answer,
  { closed, guessed }: { readonly closed: boolean; readonly guessed: boolean },
): readonly string[] {
  const documented = objectOf(operation.responses)[String(status)];
  if (documented === undefined) return [`responds ${status}, which is not documented`];
  // Without a mapped adapter the document names no security scheme, but a documented refusal is correct.
  if ([401, 403].includes(status)) return [];
  if (closed) return [`responds to a guest with ${status}, although it requires a user`];
  if (status === NOT_IMPLEMENTED) return [];
  if (status === 404 && guessed) return [];
  if (status >= 400) return [`rejects its own examples with ${status}: ${detailOf(text).replace(/\.$/, '')}`];
  const content = contentOf(operation, status);
  const types = Object.keys(content);
  if (types.length === 0) return text === '' ? [] : [`responds ${status} with an undocumented body`];
  const essence = essenceOf(contentType);
  const media = content[contentType] ?? content[essence];
  if (media === undefined)
    return [`responds as ${contentType || 'no media type'} instead of ${types.join(' or ')}`];
  const { schema } = objectOf(media);
  return schema === undefined || !isJson(essence) ? [] : mismatches(schema, document, text);
}

function contentOf(operation: JsonObject, status: number): JsonObject {
  return objectOf(objectOf(objectOf(operation.responses)[String(status)]).content);
}

function essenceOf(contentType: string): string {
  return contentType.replace(/;.*/, '').trim();
}

function isJson(essence: string): boolean {
  return /[/+]json$/.test(essence);
}

function mismatches(schema: unknown, document: object, text: string): readonly string[] {
  const ajv = addFormats(new Ajv2020({ allErrors: true, strict: false, logger: false }));
  const validate = ajv.compile({ ...pick(document, 'components'), ...objectOf(schema) });
  try {
    validate(JSON.parse(text));
  } catch {
    return ['responds with invalid JSON'];
  }
  return (validate.errors ?? []).map(
    ({ instancePath, message = 'is wrong' }) =>
      `returned a response that does not match its schema: ${instancePath || 'the body'} ${message}`,
  );
}

function pick(document: object, name: string): object {
  return Object.fromEntries(Object.entries(document).filter(([key]) => key === name));
}

function detailOf(text: string): string {
  try {
    const { detail } = objectOf(JSON.parse(text));
    return typeof detail === 'string' ? detail : text;
  } catch {
    return text.slice(0, 200);
  }
}
