import type { HttpAdapterOptions, OptionIssue } from './options';
import { sourceIssues } from './source-options';

/**
 * Validates options that match the schema, without reading files.
 *
 * @param options possibly incomplete, as from a form
 */
export function optionIssues(options: HttpAdapterOptions): readonly OptionIssue[] {
  const schemes = new Set(options.accept_schemes);
  const issues: OptionIssue[] = [];
  if (schemes.size === 0) {
    issues.push({
      option: 'accept_schemes',
      message: 'accept_schemes is empty; write "basic" or "digest"',
      advice: 'write "basic" or "digest"',
    });
  }
  if (schemes.has('basic') && schemes.has('digest') && options.allow_downgrade !== true) {
    issues.push({
      option: 'accept_schemes',
      message:
        'accept_schemes contains both "basic" and "digest", so that clients may choose Basic and send the password in plain text; remove one of them, or set allow_downgrade to true',
      advice:
        'clients may choose Basic and send the password in plain text; remove one of them, or set allow_downgrade',
    });
  }
  issues.push(...realmIssues(options.realm, schemes.has('digest')));
  const hasFiles = options.users === undefined && options.source === undefined;
  if (hasFiles && schemes.has('basic')) issues.push(...fileIssues('htpasswd', options.htpasswd));
  if (schemes.has('digest')) issues.push(...digestIssues(options));
  if (hasFiles && schemes.has('digest')) issues.push(...fileIssues('htdigest', options.htdigest));
  return [...issues, ...sourceIssues(options)];
}

function invalid(option: OptionIssue['option'], value: string, allowed: string): OptionIssue {
  return { option, message: `${option} is ${JSON.stringify(value)}; ${allowed}`, advice: allowed };
}

function realmIssues(realm: string, forDigest: boolean): readonly OptionIssue[] {
  const advice =
    (realm === '' && 'write a readable name') ||
    (/\p{Cc}/u.test(realm) && 'control characters are not allowed; write a readable name') ||
    (/["\\]/.test(realm) && 'quotes and backslashes break many clients; choose another name') ||
    (forDigest && realm.includes(':') && 'Digest does not allow a colon; choose another name') ||
    (forDigest && realm !== realm.trim() && 'remove leading and trailing white space');
  return advice === false ? [] : [invalid('realm', realm, advice)];
}

function digestIssues(options: HttpAdapterOptions): readonly OptionIssue[] {
  const { digest_domains: domain = '', nonce_timeout: timeout, qop } = options;
  const issues: OptionIssue[] = [];
  if (!/^[\x20-\x7e]*$/.test(domain) || /["\\]/.test(domain)) {
    issues.push(invalid('digest_domains', domain, 'write ASCII URIs, separated by spaces'));
  }
  const seconds = 'write a number of seconds above 0 as a string, such as "3600"';
  if (timeout === undefined) {
    issues.push({
      option: 'nonce_timeout',
      message: `nonce_timeout is missing, and Digest requires it; ${seconds}`,
      advice: seconds,
    });
  } else if (!/^[1-9]\d*$/.test(timeout)) issues.push(invalid('nonce_timeout', timeout, seconds));
  if (qop?.length === 0) {
    const advice = 'write "auth" or "auth-int"';
    issues.push({ option: 'qop', message: `qop is empty; ${advice}`, advice });
  }
  return issues;
}

function fileIssues(option: 'htpasswd' | 'htdigest', path: string | undefined): readonly OptionIssue[] {
  const advice = 'set the path of the password file';
  return path === undefined || path === ''
    ? [{ option, message: `${option} is missing; ${advice}`, advice }]
    : [];
}
