import { httpAdapterSettings } from '../../../mvc-auth';
import type { FieldError } from '../../changes/field-errors';
import { optionFields, type OptionField } from './option-field';

/** The label of an option of the built-in kind. */
interface OptionLabel {
  readonly label: string;
  readonly hint?: string;
  readonly group?: 'Basic' | 'Digest' | 'More';
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
    const wording = LABELS[field.path[0] ?? ''];
    if (wording === undefined) return field;
    const { label, hint = '', group = '', choices = {} } = wording;
    const named = field.choices.map((one) => ({ ...one, label: choices[one.label] ?? one.label }));
    return { ...field, label, hint, group, choices: named };
  });
  return fields.sort((a, b) => ORDER.indexOf(a.path[0] ?? '') - ORDER.indexOf(b.path[0] ?? ''));
}

/** Replaces schema errors with messages for forms. */
export function withReadableMessages(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => ({ ...error, message: READABLE_MESSAGES[error.pointer] ?? error.message }));
}
