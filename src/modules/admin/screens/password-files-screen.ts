import { Problem, type ViewModel } from '../../../framework';
import { DIGEST_ALGORITHMS } from '../../mvc-auth';
import { invalid, type FieldError } from '../changes/field-errors';
import type { PasswordFileKind } from '../actions/password-files/password-file-kind';
import type { FileUser, NewPassword } from '../actions/password-files/password-files';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { fieldErrorsOf, isCorrectable } from '../pages/form-errors';

const LIST = '/password-files';

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

  async list({ show, form, query }: PageContext, problem?: Problem): Promise<ViewModel> {
    const input = form.size > 0 ? form : query;
    const typed = { file: input.get('file') ?? '', kind: input.get('kind') ?? 'htdigest' };
    const variables = { files: await this.#files.list(), typed, errors: errorsOf(problem) };
    return show('password-files', variables, problem?.status);
  }

  async users(context: PageContext, problem?: Problem): Promise<ViewModel> {
    const { form, query, show } = context;
    const file = await this.#files.read(query.get('file') ?? '', kindOf(query.get('kind')));
    const realm = form.get('realm') ?? query.get('realm') ?? file.adapters[0]?.realm ?? file.realms[0]?.realm;
    const typed = { user: form.get('user') ?? '', realm: realm ?? '' };
    const algorithms =
      file.kind === 'htdigest' ? await this.#algorithmsOn(context, file.path, typed) : undefined;
    return show('password-file', { file, typed, algorithms, errors: errorsOf(problem) }, problem?.status);
  }

  async user(context: PageContext, action: 'password' | 'remove', problem?: Problem): Promise<ViewModel> {
    const { show, query } = context;
    const file = await this.#files.read(query.get('file') ?? '');
    const user = userOf(query);
    const algorithms =
      file.kind === 'htdigest' && action === 'password'
        ? await this.#algorithmsOn(context, file.path, user)
        : undefined;
    const variables = { file, ...user, action, algorithms, errors: errorsOf(problem) };
    return show('password-user', variables, problem?.status);
  }

  async #algorithmsOn({ form }: PageContext, file: string, user: FileUser): Promise<unknown> {
    const chosen = algorithmsIn(form) ?? (await this.#files.algorithmsFor(file, user));
    return { all: DIGEST_ALGORITHMS.map((value) => ({ value })), chosen };
  }

  create(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const attempt = async (): Promise<PageResult> => {
      const { path } = await this.#files.create(form.get('file') ?? '', actor);
      const kind = kindOf(form.get('kind')) ?? 'htpasswd';
      const realm = query.get('realm') ?? undefined;
      return redirect(usersPath({ file: path, kind, realm }), `Created ${path}. Add a user next.`);
    };
    return submit(attempt, (problem) => this.list(context, problem));
  }

  addUser(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(form);
    const attempt = async (): Promise<PageResult> => {
      const warning = await this.#files.addUser(file, user, passwordOf(form), actor);
      const { adapters } = await this.#files.read(file);
      const next =
        adapters.length > 0 ? `“${user.user}” can sign in now.` : 'Connect an adapter to enable sign-in.';
      return redirect(usersPath({ file }), withWarning(`Added. ${next}`, warning));
    };
    return submit(attempt, (problem) => this.users(context, problem));
  }

  setPassword(context: PageContext): Promise<PageResult> {
    const { form, query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(query);
    const attempt = async (): Promise<PageResult> => {
      const warning = await this.#files.setPassword(file, user, passwordOf(form), actor);
      return redirect(usersPath({ file }), withWarning(`Password of “${user.user}” changed.`, warning));
    };
    return submit(attempt, (problem) => this.user(context, 'password', problem));
  }

  removeUser(context: PageContext): Promise<PageResult> {
    const { query, actor, redirect } = context;
    const file = query.get('file') ?? '';
    const user = userOf(query);
    const attempt = async (): Promise<PageResult> => {
      await this.#files.removeUser(file, user, actor);
      return redirect(usersPath({ file }), `Removed “${user.user}”.`);
    };
    return submit(attempt, (problem) => this.user(context, 'remove', problem));
  }
}

/** Runs the action of a form; shows the form again after errors that the user can correct. */
async function submit(
  attempt: () => Promise<PageResult>,
  showForm: (problem: Problem) => Promise<ViewModel>,
): Promise<PageResult> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Problem) || !isCorrectable(error)) throw error;
    return showForm(error);
  }
}

/** Only users of Digest files have a realm. */
function userOf(sent: URLSearchParams): FileUser {
  const realm = sent.get('realm');
  return { user: sent.get('user') ?? '', ...(realm === null ? {} : { realm }) };
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

function withWarning(text: string, warning: string | undefined): string {
  return warning === undefined ? text : `${text} Warning: ${warning}`;
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

function errorsOf(problem: Problem | undefined): readonly FieldError[] {
  return problem === undefined ? [] : fieldErrorsOf(problem);
}
