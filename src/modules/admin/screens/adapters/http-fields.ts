import { httpAdapterSettings } from '../../../mvc-auth';
import type { FieldError } from '../../actions/invalid';
import { optionFields, type OptionField } from './option-field';

/** What the form says of an option of the platform's own kind. */
interface Wording {
  readonly label: string;
  readonly hint?: string;
  readonly group?: 'Basic' | 'Digest' | 'More';
  readonly choices?: Readonly<Record<string, string>>;
}

const WORDINGS: Readonly<Record<string, Wording>> = {
  accept_schemes: {
    label: 'Schemes',
    hint: 'Digest never sends the password. Basic sends it with every request: use it over TLS only.',
    choices: { basic: 'Basic', digest: 'Digest' },
  },
  realm: {
    label: 'Realm',
    hint: 'The name that people see when they are asked for a password. Users of Digest belong to their realm.',
  },
  htpasswd: {
    label: 'Password file',
    hint: 'From the folder of the project, such as data/atlas.htpasswd.',
    group: 'Basic',
  },
  htdigest: {
    label: 'Digest file',
    hint: 'From the folder of the project, such as data/atlas.htdigest.',
    group: 'Digest',
  },
  digest_domains: {
    label: 'Domains',
    hint: 'Addresses that the same password is good for, separated by spaces. Empty means the whole server.',
    group: 'Digest',
  },
  nonce_timeout: {
    label: 'Nonce timeout',
    hint: 'Seconds for which a client may use a nonce, such as 3600. Clients get a new one by themselves.',
    group: 'Digest',
  },
  htgroup: {
    label: 'Group file',
    hint: 'Lines such as “staff: alice bob”. Rules name a group as @staff.',
    group: 'More',
  },
  weak_hashes: {
    label: 'Weak hashes to accept',
    hint: 'Only for an old password file, until its passwords are set anew: they protect nothing.',
    group: 'More',
    choices: { des: 'DES', plain: 'Plain text' },
  },
  qop: {
    label: 'Quality of protection',
    hint: 'What a digest covers: the request line (auth), or the body too (auth-int). None chosen means auth.',
    group: 'More',
    choices: { auth: 'auth', 'auth-int': 'auth-int' },
  },
  allow_downgrade: {
    label: 'Let Basic stand beside Digest',
    hint: 'Clients would then choose Basic, the weaker one.',
    group: 'More',
  },
};

/** The errors of a schema speak to who writes JSON. */
const SENTENCES: Readonly<Record<string, string>> = {
  '/options/nonce_timeout': 'Write whole seconds above 0, such as 3600.',
};

const ORDER = Object.keys(WORDINGS);

/** The fields of the platform's own kind, in words for people. */
export function httpFields(): readonly OptionField[] {
  const fields = optionFields(httpAdapterSettings, () => false).map((field): OptionField => {
    const wording = WORDINGS[field.path[0] ?? ''];
    if (wording === undefined) return field;
    const { label, hint = '', group = '', choices = {} } = wording;
    const named = field.choices.map((one) => ({ ...one, label: choices[one.label] ?? one.label }));
    return { ...field, label, hint, group, choices: named };
  });
  return fields.sort((a, b) => ORDER.indexOf(a.path[0] ?? '') - ORDER.indexOf(b.path[0] ?? ''));
}

/** The errors of the platform's own kind, in words for who fills in a form. */
export function inWords(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => ({ ...error, message: SENTENCES[error.pointer] ?? error.message }));
}
