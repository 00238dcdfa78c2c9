import { httpAdapterSettings } from '../../../mvc-auth';
import type { FieldError } from '../../changes/field-errors';
import { optionFields, type OptionField } from './option-field';

/** The label of an option of the built-in kind. */
interface OptionLabel {
  readonly label: string;
  readonly hint?: string;
  readonly group?: 'Basic' | 'Digest' | 'Database table' | 'More';
  readonly choices?: Readonly<Record<string, string>>;
}

const LABELS: Readonly<Record<string, OptionLabel>> = {
  accept_schemes: {
    label: 'Schemes',
    hint: 'Digest never sends the password. Basic sends it with every request: use it over TLS only.',
    choices: { basic: 'Basic', digest: 'Digest' },
  },
  realm: {
    label: 'Realm',
    hint: 'The name shown in password prompts. Digest users belong to a realm.',
  },
  htpasswd: {
    label: 'Password file',
    hint: 'Path in the project folder, such as data/atlas.htpasswd.',
    group: 'Basic',
  },
  htdigest: {
    label: 'Digest file',
    hint: 'Path in the project folder, such as data/atlas.htdigest.',
    group: 'Digest',
  },
  digest_domains: {
    label: 'Domains',
    hint: 'URLs protected by the same password, separated by spaces. Leave empty for the whole server.',
    group: 'Digest',
  },
  nonce_timeout: {
    label: 'Nonce timeout',
    hint: 'Nonce lifetime in seconds, such as 3600. Clients renew nonces automatically.',
    group: 'Digest',
  },
  'users.db': {
    label: 'Database',
    hint: 'For users in a table instead of password files: the name of a database connection.',
    group: 'Database table',
  },
  'users.table': {
    label: 'Table',
    hint: 'The table or view that contains the users.',
    group: 'Database table',
  },
  'users.name': { label: 'Name column', hint: 'The user names, such as email.', group: 'Database table' },
  'users.hash': {
    label: 'Password hash column',
    hint: 'For Basic. Accepts every kind of hash that password files accept.',
    group: 'Database table',
  },
  'users.ha1': {
    label: 'Digest columns',
    hint: 'For Digest: columns by algorithm, such as { "SHA-256": "ha1_sha256", "MD5": "ha1_md5" }.',
    group: 'Database table',
  },
  'users.groups': {
    label: 'Group column',
    hint: 'Text with spaces or commas, a JSON array, or an array. Rules name a group as @staff.',
    group: 'Database table',
  },
  'users.enabled': {
    label: 'Enabled column',
    hint: 'A boolean or a number: false, 0 and NULL disable a user. Leave empty if all users are enabled.',
    group: 'Database table',
  },
  source: {
    label: 'Source of a module',
    hint: 'The name of a service that a module binds and that knows the users, instead of password files.',
    group: 'More',
  },
  htgroup: {
    label: 'Group file',
    hint: 'Lines such as “staff: alice bob”. Rules name a group as @staff.',
    group: 'More',
  },
  weak_hashes: {
    label: 'Weak hashes to accept',
    hint: 'For old password files only. These hashes are insecure; reset the passwords.',
    group: 'More',
    choices: { des: 'DES', plain: 'Plain text' },
  },
  qop: {
    label: 'Quality of protection',
    hint: 'What the digest covers: the request line (auth), or also the body (auth-int). Defaults to auth.',
    group: 'More',
    choices: { auth: 'auth', 'auth-int': 'auth-int' },
  },
  allow_downgrade: {
    label: 'Allow Basic together with Digest',
    hint: 'Clients may then choose Basic, the weaker scheme.',
    group: 'More',
  },
};

/** Replacements for schema errors that are written for JSON authors. */
const READABLE_MESSAGES: Readonly<Record<string, string>> = {
  '/options/nonce_timeout': 'Enter whole seconds greater than 0, such as 3600.',
};

const ORDER = Object.keys(LABELS);

/** Returns the form fields of the built-in kind. */
export function httpFields(): readonly OptionField[] {
  const fields = optionFields(httpAdapterSettings, () => false).map((field): OptionField => {
    const wording = LABELS[field.path.join('.')];
    if (wording === undefined) return field;
    const { label, hint = '', group = '', choices = {} } = wording;
    const named = field.choices.map((one) => ({ ...one, label: choices[one.label] ?? one.label }));
    return { ...field, label, hint, group, choices: named };
  });
  return fields.sort((a, b) => ORDER.indexOf(a.path.join('.')) - ORDER.indexOf(b.path.join('.')));
}

/** Replaces schema errors with messages for forms. */
export function withReadableMessages(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => ({ ...error, message: READABLE_MESSAGES[error.pointer] ?? error.message }));
}
