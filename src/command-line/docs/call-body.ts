import { dereference, listOf, objectOf, type JsonObject } from '../../framework';
import { isFileField } from '../../modules/content-negotiation';

/** A body for `fetch`, which sets the media type of a form itself. */
export interface CallBody {
  readonly content: string | URLSearchParams | FormData;
  readonly headers: Readonly<Record<string, string>>;
}

/** Empty forms by their media types. */
const FORMS: ReadonlyMap<string, () => URLSearchParams | FormData> = new Map([
  ['application/x-www-form-urlencoded', (): URLSearchParams | FormData => new URLSearchParams()],
  ['multipart/form-data', (): URLSearchParams | FormData => new FormData()],
]);

/**
 * Builds the body of a request from its example, as JSON if the operation accepts it.
 * @param document resolves references
 * @returns undefined for an operation without a body; the example that is missing, which it always is for a file
 */
export function bodyOf(
  operation: JsonObject,
  document: JsonObject,
): CallBody | { readonly missing: string } | undefined {
  const content = Object.entries(objectOf(objectOf(operation.requestBody).content));
  const [type, media] = content.find(([name]) => name.includes('json')) ?? content[0] ?? [];
  if (type === undefined) return undefined;
  const { schema, example } = objectOf(media);
  const form = FORMS.get(type)?.();
  const files = form === undefined ? [] : filesOf(dereference(document, schema), document);
  if (files.some(({ required }) => required)) return { missing: 'a file' };
  if (example === undefined) return { missing: 'an example of the body' };
  if (form === undefined) return { content: JSON.stringify(example), headers: { 'content-type': type } };
  for (const [name, value] of Object.entries(objectOf(example))) {
    if (files.some((file) => file.name === name)) continue;
    // A list is a repeated field.
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      form.append(name, textOf(one));
  }
  return { content: form, headers: {} };
}

function filesOf(
  schema: JsonObject,
  document: JsonObject,
): readonly { readonly name: string; readonly required: boolean }[] {
  const required = listOf(schema.required);
  return Object.entries(objectOf(schema.properties))
    .filter(([, field]) => isFileField(dereference(document, field), (one) => dereference(document, one)))
    .map(([name]) => ({ name, required: required.includes(name) }));
}

/** An empty field is null where its schema allows null. */
function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
