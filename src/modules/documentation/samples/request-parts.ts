import { unicodeEscape } from '../../../framework';
import { partHead } from '../../content-negotiation';
import { FORM, JSON_TYPE, MULTIPART, textFields } from './form-fields';
import type { HeaderField, SampleBody, SampleCall } from './sample-call';

/** A part of a sample. */
export interface SamplePart {
  readonly code: string;
  /** Set for code that the language lacks: the response to a Digest challenge. Pages fold it. */
  readonly helper?: 'digest';
}

/** Returns a sample without a helper. */
export function singlePart(lines: readonly string[]): readonly SamplePart[] {
  return [{ code: lines.join('\n') }];
}

/** Returns the header fields of a call, except for those of Basic, Digest and multipart bodies. */
export function headerFields({
  accept,
  body,
  credentials,
  headers = [],
}: SampleCall): readonly HeaderField[] {
  return [
    ...(accept === undefined ? [] : [['Accept', accept] as const]),
    ...(body === undefined || body.type === MULTIPART ? [] : [['Content-Type', body.type] as const]),
    ...headers,
    ...(typeof credentials === 'object' ? [[credentials.header, credentials.value] as const] : []),
  ];
}

/** Returns a body as text: JSON, or a URL-encoded form. */
export function bodyText({ type, value, form }: SampleBody): string {
  if (type !== FORM || form === undefined) return JSON.stringify(value, null, 2).replace(ODD, unicodeEscape);
  return String(new URLSearchParams([...textFields(form)]));
}

/** Characters that raw strings cannot contain: C# ends lines at some of them, Go reads the last one as a byte order mark. */
const ODD = /[\u0085\u2028\u2029\ufeff]/g;

/** A part of a multipart body: the parameters and fields after `form-data; `, and text or the name of a file. */
export interface MultipartPart {
  readonly head: string;
  readonly text?: string;
  readonly file?: string;
}

/** Returns the parts of a multipart body, for languages that do not create it; undefined for other bodies. */
export function multipartParts(body: SampleBody | undefined): readonly MultipartPart[] | undefined {
  if (body?.type !== MULTIPART || body.form === undefined) return undefined;
  return body.form.map((field) => {
    const { name } = field;
    if ('file' in field) return { head: partHead(name, field.type, field.file), file: field.file };
    if ('json' in field) return { head: partHead(name, JSON_TYPE), text: field.json };
    return { head: partHead(name), text: field.text };
  });
}
