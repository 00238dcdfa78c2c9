/** Pages run the scripts of their own origin, and ask only there. */
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

/**
 * The `Content-Security-Policy` of pages (Content Security Policy 3, 2.2): what pages need, and in place of each
 * directive that the operator's policy names, the operator's. Several policies, separated by commas, stay several.
 *
 * @param given the field as other answers carry it
 */
export function pagePolicy(given = ''): string {
  return given
    .split(',')
    .map((policy) => merged(directivesOf(policy)))
    .join(', ');
}

function merged(given: ReadonlyMap<string, string>): string {
  return [...new Map([...DIRECTIVES, ...given])]
    .map(([name, value]) => (value === '' ? name : `${name} ${value}`))
    .join('; ');
}

/** Of a directive that comes twice the first counts, and its name is read in any letter case (2.2.1). */
function directivesOf(policy: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of policy.split(';')) {
    const [name = '', ...values] = part.trim().split(/\s+/);
    const key = name.toLowerCase();
    if (key !== '' && !directives.has(key)) directives.set(key, values.join(' '));
  }
  return directives;
}
