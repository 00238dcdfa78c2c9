import { objectOf, isObject, ownValue } from '../../../framework';
import type { JsonSchema } from '../model/data';
import type { Operation } from '../model/operation';

/** A form field: text, or the name of a file in the current folder. */
export type FormField =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: string; readonly type: string };

export const MULTIPART = 'multipart/form-data';
export const FORM = 'application/x-www-form-urlencoded';

/**
 * Returns the fields of a form with their examples. A list becomes a repeated field, as hosting reads it. Optional
 * fields without an example are omitted.
 */
export function formFields(operation: Operation): readonly FormField[] {
  const example = operation.getRequestExample();
  const examples = objectOf(example);
  return operation.getFields().flatMap((field): readonly FormField[] => {
    const name = field.getName();
    const file = fileOf(name, field.getSchema());
    if (file !== undefined) return [{ name, ...file }];
    const given = ownValue(examples, name);
    const value = given ?? field.getExample() ?? (field.isRequired() ? name.toUpperCase() : []);
    return (Array.isArray(value) ? value : [value]).map((one: unknown) => ({ name, text: textOf(one) }));
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** File extensions that differ from the subtype, and a type for each range. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['application/octet-stream', 'bin'],
]);
const ONE_OF: ReadonlyMap<string, string> = new Map([
  ['image/*', 'image/png'],
  ['text/*', 'text/plain'],
]);

/** Returns a file name for a field, or a list, of files by its types; undefined for other fields. */
function fileOf(
  name: string,
  { 'x-file': own, items }: JsonSchema,
): { readonly file: string; readonly type: string } | undefined {
  const rule = own ?? (isObject(items) ? items['x-file'] : undefined);
  if (!isObject(rule)) return undefined;
  const [first] = Array.isArray(rule.types) ? (rule.types as readonly unknown[]) : [];
  const named = typeof first === 'string' ? first : 'application/octet-stream';
  const type = ONE_OF.get(named) ?? named;
  return { file: `${name}.${ENDINGS.get(type) ?? /^\w+\/(\w+)$/.exec(type)?.[1] ?? 'bin'}`, type };
}
