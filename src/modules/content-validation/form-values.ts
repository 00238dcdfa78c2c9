import { isSchema, dereference, type SchemaNode } from '../../framework';

/**
 * Converts the values of a form to the structure that its schema expects, before types are coerced.
 * @param cleared the names whose empty fields are null
 */
export function formValues(
  schema: object,
  form: unknown,
  cleared: ReadonlySet<string>,
): Record<string, unknown> {
  const values: Record<string, unknown> = { ...(typeof form === 'object' ? form : {}) };
  for (const name of cleared) if (Object.hasOwn(values, name) && values[name] === '') values[name] = null;
  // A name that occurs once is a list of one if the schema declares an array.
  for (const name of listsOf(schema))
    if (Object.hasOwn(values, name) && !Array.isArray(values[name])) values[name] = [values[name]];
  return values;
}

/**
 * The members that may be null, and whose texts cannot be empty, such as dates: a form has no other notation of null.
 * Empty fields of numbers and booleans are null by coercion.
 * @param refusesEmpty whether a schema refuses an empty text
 */
export function clearedMembers(
  schema: object,
  refusesEmpty: (member: SchemaNode) => boolean,
): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const members = isSchema(root.properties) ? Object.entries(root.properties) : [];
  const cleared = members.filter(([, one]) => {
    const member = dereference(root, one);
    const types = [member.type].flat();
    return types.includes('null') && types.includes('string') && refusesEmpty(member);
  });
  return new Set(cleared.map(([name]) => name));
}

/** Returns the fields that are text or lists of text. */
export function textsOf(
  values: Readonly<Record<string, unknown>>,
): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string | string[]] => isText(entry[1])),
  );
}

/** Returns whether a value is text or a list of text. */
export function isText(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function listsOf(schema: object): ReadonlySet<string> {
  const root: SchemaNode = { ...schema };
  const members = isSchema(root.properties) ? Object.entries(root.properties) : [];
  return new Set(members.filter(([, one]) => dereference(root, one).type === 'array').map(([name]) => name));
}
