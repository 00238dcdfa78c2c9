import { randomUUID } from 'node:crypto';
import { dereference, listOf, objectOf, type JsonObject } from '../../framework';
import { fieldContents, fieldTexts, isFileField, partHead } from '../../modules/content-negotiation';

/** A body for `fetch`. */
export interface CallBody {
  readonly content: string;
  readonly headers: { readonly 'content-type': string };
}

type Fields = readonly (readonly [name: string, value: unknown])[];

/** The encodings of forms by their media types. */
const FORMS: ReadonlyMap<string, (fields: Fields) => CallBody> = new Map([
  ['application/x-www-form-urlencoded', urlEncoded],
  ['multipart/form-data', multipart],
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
  const form = FORMS.get(type);
  const files = form === undefined ? [] : filesOf(dereference(document, schema), document);
  if (files.some(({ required }) => required)) return { missing: 'a file' };
  if (example === undefined) return { missing: 'an example of the body' };
  if (form === undefined) return { content: JSON.stringify(example), headers: { 'content-type': type } };
  return form(
    Object.entries(objectOf(example)).filter(([name]) => files.every((file) => file.name !== name)),
  );
}

function urlEncoded(fields: Fields): CallBody {
  const pairs = fields.flatMap(([name, value]) =>
    fieldTexts(value).map((text): [string, string] => [name, text]),
  );
  return {
    content: String(new URLSearchParams(pairs)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

/** FormData cannot set the type of a field that is not a file. */
function multipart(fields: Fields): CallBody {
  const boundary = randomUUID();
  const parts = fields.flatMap(([name, value]) =>
    fieldContents(value).map((content) => {
      const [head, text] =
        'text' in content
          ? [partHead(name), content.text]
          : [partHead(name, 'application/json'), content.json];
      return `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    }),
  );
  return {
    content: `${parts.join('')}--${boundary}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
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
