import type { ViewModel } from '../../../framework';
import { DIGEST_ALGORITHMS } from '../../mvc-auth';
import { invalid, type FieldError } from '../changes/field-errors';
import type { PasswordFileKind } from '../actions/password-files/password-file-kind';
import type { PasswordFileView } from '../actions/password-files/password-file-view';
import type { FileUser, NewPassword } from '../actions/password-files/password-files';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import { pageOf, searchIn } from '../pages/paging';
import type { AdminServices } from '../services';

const LIST = '/password-files';

/** Users on a page, at most. */
const PAGE_SIZE = 200;

/** The pages of password files, their users and passwords. Hashes are never shown. */
export function passwordFilesScreen(services: AdminServices): readonly AdminPage[] {
  const pages = new PasswordFilesPages(services);
  return [
    {
      name: 'password-files',
      pattern: LIST,
      GET: (context) => pages.list(context),
      POST: (context) => pages.create(context),
      edit: (context) => pages.list(context),
    },
    {
      name: 'password-file',
      pattern: `${LIST}/users`,
      GET: (context) => pages.users(context),
      POST: (context) => pages.addUser(context),
      edit: (context) => pages.users(context),
    },
    {
      name: 'password-file-password',
      pattern: `${LIST}/password`,
      GET: (context) => pages.user(context, 'password'),
      POST: (context) => pages.setPassword(context),
      edit: (context) => pages.user(context, 'password'),
    },
    {
      name: 'password-file-remove',
      pattern: `${LIST}/remove`,
      GET: (context) => pages.user(context, 'remove'),
      POST: (context) => pages.removeUser(context),
    },
  ];
}

class PasswordFilesPages {
  readonly #files: AdminServices['passwordFiles'];

  constructor({ passwordFiles }: AdminServices) {
    this.#files = passwordFiles;
  }

  async list({ show, form, query }: PageContext, errors: readonly FieldError[] = []): Promise<ViewModel> {
    const input = form.size > 0 ? form : query;
    const typed = { file: input.get('file') ?? '', kind: input.get('kind') ?? 'htdigest' };
    const variables = { files: await this.#files.list(), typed, errors };
    return show('password-files', variables);
  }

  async users(context: PageContext, errors: readonly FieldError[] = []): Promise<ViewModel> {
    const { form, query, show } = context;
    const file = await this.#files.read(query.get('file') ?? '', kindOf(query.get('kind')));
    const realm = form.get('realm') ?? query.get('realm') ?? file.adapters[0]?.realm ?? file.realms[0]?.realm;
    const typed = { user: form.get('user') ?? '', realm: realm ?? '' };
    const algorithms =
      file.kind === 'htdigest' ? await this.#algorithmsOn(context, file.path, typed) : undefined;
    return show('password-file', { file, ...usersOn(query, file), typed, algorithms, errors });
  }

  async user(
    context: PageContext,
    action: 'password' | 'remove',
    errors: readonly FieldError[] = [],
  ): Promise<ViewModel> {
    const { show, query } = context;
    const file = await this.#files.read(query.get('file') ?? '');
    const user = userOf(query);
    const algorithms =
      file.kind === 'htdigest' && action === 'password'
        ? await this.#algorithmsOn(context, file.path, user)
        : undefined;
    const variables = { file, ...user, action, algorithms, errors };
    return show('password-user', variables);
  }

  async #algorithmsOn({ form }: PageContext, file: string, user: FileUser): Promise<unknown> {
    const chosen = algorithmsIn(form) ?? (await this.#files.algorithmsFor(file, user));
    return { all: DIGEST_ALGORITHMS.map((value) => ({ value })), chosen };
  }

  create(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const file = form.get('file') ?? '';
    return context.review(() => this.#files.create(file, actor), {
      back: LIST,
      effect: 'Add a user next.',
      done: (change) => {
        const kind = kindOf(form.get('kind')) ?? 'htpasswd';
        const realm = query.get('realm') ?? undefined;
        const next = usersPath({ file: change.file, kind, realm });
        return redirect(next, `Created ${change.file}. Add a user next.`);
      },
      invalid: (errors) => this.list(context, errors),
    });
  }

  addUser(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(form);
    return context.review(() => this.#files.addUser(file, user, passwordOf(form), actor), {
      back: usersPath({ file, kind: kindOf(query.get('kind')), realm: query.get('realm') ?? undefined }),
      effect: 'Removing the user undoes it.',
      done: async () => {
        const { adapters } = await this.#files.read(file);
        const next =
          adapters.length > 0 ? `“${user.user}” can sign in now.` : 'Connect an adapter to enable sign-in.';
        return redirect(usersPath({ file }), `Added. ${next}`);
      },
      invalid: (errors) => this.users(context, errors),
    });
  }

  setPassword(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(query);
    return context.review(() => this.#files.setPassword(file, user, passwordOf(form), actor), {
      back: usersPath({ file }),
      effect: 'The old password stops working. This cannot be undone.',
      done: () => redirect(usersPath({ file }), `Password of “${user.user}” changed.`),
      invalid: (errors) => this.user(context, 'password', errors),
    });
  }

  removeUser(context: PageContext): Promise<PageResult> {
    const { query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(query);
    return context.review(() => this.#files.removeUser(file, user, actor), {
      back: usersPath({ file }),
      effect: 'The user can no longer sign in. This cannot be undone.',
      done: () =>
        redirect(usersPath({ file, kind: kindFor(user), realm: user.realm }), `Removed “${user.user}”.`),
      invalid: (errors) => this.user(context, 'remove', errors),
    });
  }
}

/** Returns the users that match a query, by realm. */
function usersOn(query: URLSearchParams, { realms }: PasswordFileView): Readonly<Record<string, unknown>> {
  const { text, matches } = searchIn(query);
  const users = realms.flatMap((one) => one.users.map((user) => ({ realm: one.realm, user })));
  const found = users.filter(({ user }) => matches(user.name));
  const paging = pageOf(query, found.length, PAGE_SIZE);
  const shown = found.slice(paging.from, paging.to);
  return {
    groups: realms.flatMap(({ realm }) => {
      const own = shown.filter((one) => one.realm === realm).map(({ user }) => user);
      return own.length === 0 ? [] : [{ realm, users: own }];
    }),
    search: text,
    paging,
    isLong: users.length > PAGE_SIZE / 4,
  };
}

/** Only users of Digest files have a realm. */
function userOf(sent: URLSearchParams): FileUser {
  const realm = sent.get('realm');
  return { user: sent.get('user') ?? '', ...(realm === null ? {} : { realm }) };
}

/** The format of the file of a user, which may be empty without the user. */
function kindFor({ realm }: FileUser): PasswordFileKind {
  return realm === undefined ? 'htpasswd' : 'htdigest';
}

/** @throws Problem 422 if the confirmation does not match */
function passwordOf(form: URLSearchParams): NewPassword {
  const password = form.get('password') ?? '';
  if (password === (form.get('again') ?? '')) return { password, algorithms: algorithmsIn(form) };
  const errors = [{ pointer: '/again', message: 'The passwords do not match.' }];
  throw invalid(errors);
}

/** The chosen algorithms; undefined for a form without the choice. */
function algorithmsIn(form: URLSearchParams): readonly string[] | undefined {
  return form.has('choose') ? form.getAll('algorithms') : undefined;
}

function kindOf(text: string | null): PasswordFileKind | undefined {
  return text === 'htpasswd' || text === 'htdigest' ? text : undefined;
}

function usersPath(query: {
  readonly file: string;
  readonly kind?: string | undefined;
  readonly realm?: string | undefined;
}): string {
  const members = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value]],
  );
  return `${LIST}/users?${new URLSearchParams(members).toString()}`;
}
