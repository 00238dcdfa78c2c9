/** Pages load resources from their own origin only. */
const DIRECTIVES: readonly (readonly [name: string, value: string])[] = [
  ['default-src', "'none'"],
  ['script-src', "'self'"],
  ['style-src', "'self'"],
  ['img-src', "'self'"],
  ['connect-src', "'self'"],
  ['base-uri', "'none'"],
  ['form-action', "'none'"],
  ['frame-ancestors', "'none'"],
];

const FORM = 'form-action';

/**
 * Returns the `Content-Security-Policy` of pages (Content Security Policy 3, 2.2): the defaults of pages, replaced by the
 * directives of the operator's policy. Several policies, separated by commas, stay separate.
 *
 * @param configured the field value of other responses
 * @param hasForm whether the page has a form, which it may send to its own origin, unless the operator allows other origins
 */
export function pagePolicy(configured = '', hasForm = false): string {
  return configured
    .split(',')
    .map((policy) => mergeDirectives(directivesOf(policy), hasForm))
    .join(', ');
}

function mergeDirectives(directives: ReadonlyMap<string, string>, hasForm: boolean): string {
  const merged = new Map([...DIRECTIVES, ...directives]);
  if (hasForm && merged.get(FORM) === "'none'") merged.set(FORM, "'self'");
  return [...merged].map(([name, value]) => (value === '' ? name : `${name} ${value}`)).join('; ');
}

/** The first of duplicate directives counts; names are case-insensitive (2.2.1). */
function directivesOf(policy: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of policy.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/);
    const key = name.toLowerCase();
    if (key !== '' && !directives.has(key)) directives.set(key, values.join(' '));
  }
  return directives;
}
