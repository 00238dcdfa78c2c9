import { problem, type ViewModel } from '../../../framework';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-dependencies';
import { invalid, type FieldError } from '../changes/field-errors';
import type { AuditAction } from '../audit/audit-entry';
import { auditedChange, type FileChange } from '../changes/file-change';
import type { ListedAdministrator } from './administrators';
import { newPassword } from './new-password';
import { ADMIN_ROLES, isAdminRole, type AdminRole } from './roles';
import { ROLE_MATRIX } from './role-matrix';
import { SECOND_FACTOR_PATH } from './second-factor/path';

const LIST = '/administrators';

const ROLE_CHOICES = ADMIN_ROLES.map((value) => ({ value }));

/** What the forms of an administrator change. */
type Action = 'password' | 'role' | 'second-factor' | 'remove';

/** Creates the pages that list, add and remove administrators, and set their passwords and roles. */
export function administratorsPages(dependencies: PageDependencies): readonly AdminPage[] {
  const pages = new AdministratorsPages(dependencies);
  const page = (action: Action, POST: (context: PageContext) => Promise<PageResult>): AdminPage => ({
    name: `administrator-${action}`,
    pattern: `${LIST}/:name/${action}`,
    GET: (context) => pages.form(context, action),
    POST,
    edit: (context) => pages.form(context, action),
  });
  return [
    {
      name: 'administrators',
      pattern: LIST,
      GET: (context) => pages.list(context),
      POST: (context) => pages.add(context),
      edit: (context) => pages.list(context, typedIn(context)),
    },
    page('password', (context) => pages.setPassword(context)),
    page('role', (context) => pages.setRole(context)),
    page('second-factor', (context) => pages.removeSecondFactor(context)),
    page('remove', (context) => pages.remove(context)),
  ];
}

interface Typed {
  readonly errors?: readonly FieldError[];
  readonly name: string;
  readonly role: string;
}

function typedIn({ form }: PageContext): Typed {
  return { name: form.get('name') ?? '', role: form.get('role') ?? '' };
}

class AdministratorsPages {
  readonly #administrators: PageDependencies['administrators'];
  readonly #sessions: PageDependencies['sessions'];
  readonly #audit: PageDependencies['audit'];

  constructor({ administrators, sessions, audit }: PageDependencies) {
    this.#administrators = administrators;
    this.#audit = audit;
    this.#sessions = sessions;
  }

  async list(
    { show, session }: PageContext,
    typed: Typed = { name: '', role: 'viewer' },
  ): Promise<ViewModel> {
    const administrators = await this.#administrators.list();
    const variables = {
      administrators,
      self: session.user,
      roles: ADMIN_ROLES,
      choices: ROLE_CHOICES,
      matrix: ROLE_MATRIX,
      ...typed,
    };
    return show('administrators', variables);
  }

  async form(
    { show, session, form, parameters: { name = '' } }: PageContext,
    action: Action,
    errors?: readonly FieldError[],
  ): Promise<ViewModel> {
    const all = await this.#administrators.list();
    const { role } = found(all, name);
    const isLast = all.length === 1;
    const variables = {
      name,
      role: form.get('role') ?? role,
      action,
      isLast,
      isSelf: name === session.user,
      choices: ROLE_CHOICES,
      errors,
    };
    return show('administrator', variables);
  }

  add(context: PageContext): Promise<PageResult> {
    const { form, actor } = context;
    const name = form.get('name') ?? '';
    const prepare = async (): Promise<FileChange> => {
      const role = roleIn(form);
      const change = await this.#administrators.set(name, newPassword(form, name), 'new', { actor, role });
      return this.#audited('administrator_add', name, context, change);
    };
    return context.review(prepare, {
      back: LIST,
      effect: `“${name}” can then sign in to the admin.`,
      done: () => context.redirect(LIST, `Administrator “${name}” added.`),
      invalid: (errors) => this.list(context, { ...typedIn(context), errors }),
    });
  }

  async setPassword(context: PageContext): Promise<PageResult> {
    const { form, session, parameters, redirect, actor } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    // The account page asks for the current password.
    if (name === session.user) return redirect('/account');
    const prepare = async (): Promise<FileChange> => {
      const change = await this.#administrators.set(name, newPassword(form, name), 'existing', { actor });
      return this.#audited('password_change', name, context, change);
    };
    return context.review(prepare, {
      back: LIST,
      effect: `This ends the sessions of ${name}, and cannot be undone.`,
      done: async () => {
        await this.#sessions.endAll(name);
        return redirect(LIST, `Password of “${name}” changed. Their sessions have ended.`);
      },
      invalid: (errors) => this.form(context, 'password', errors),
    });
  }

  async setRole(context: PageContext): Promise<PageResult> {
    const { form, parameters, redirect, actor } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    const prepare = (): FileChange =>
      this.#audited('role_change', name, context, this.#administrators.setRole(name, roleIn(form), actor));
    return context.review(prepare, {
      back: LIST,
      effect: `It applies to the next request of ${name}.`,
      done: () => redirect(LIST, `Role of “${name}” changed.`),
      invalid: (errors) => this.form(context, 'role', errors),
    });
  }

  async removeSecondFactor(context: PageContext): Promise<PageResult> {
    const { session, parameters, redirect, actor } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    // The page of the own second factor asks for the password.
    if (name === session.user) return redirect(SECOND_FACTOR_PATH);
    const prepare = (): FileChange => {
      const change = this.#administrators.setSecondFactor(name, undefined, actor);
      return this.#audited('second_factor_remove', name, context, change);
    };
    return context.review(prepare, {
      back: LIST,
      effect: `${name} can then sign in with the password alone.`,
      done: () => redirect(LIST, `Second factor of “${name}” removed.`),
      invalid: (errors) => this.form(context, 'second-factor', errors),
    });
  }

  async remove(context: PageContext): Promise<PageResult> {
    const { form, session, parameters, redirect, actor } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    const isSelf = name === session.user;
    const prepare = async (): Promise<FileChange> => {
      if (!isSelf || form.get('self') === 'yes') {
        const change = await this.#administrators.remove(name, actor);
        return this.#audited('administrator_remove', name, context, change);
      }
      const message = 'Confirm that you want to remove your own account and sign out.';
      throw invalid([{ pointer: '/self', message }]);
    };
    return context.review(prepare, {
      back: LIST,
      effect: isSelf ? 'This signs you out.' : `This ends the sessions of ${name}.`,
      done: async () => {
        await this.#sessions.endAll(name);
        return redirect(LIST, `Administrator “${name}” removed.`);
      },
      invalid: (errors) => this.form(context, 'remove', errors),
    });
  }

  #audited(action: AuditAction, target: string, { actor }: PageContext, change: FileChange): FileChange {
    return auditedChange(this.#audit, { action, actor, target }, change);
  }

  async #assertExists(name: string): Promise<void> {
    found(await this.#administrators.list(), name);
  }
}

/** @throws Problem 404 */
function found(all: readonly ListedAdministrator[], name: string): ListedAdministrator {
  const administrator = all.find((one) => one.name === name);
  if (administrator !== undefined) return administrator;
  throw problem('name_not_found', { kind: 'administrator', name, names: all.map((one) => one.name) });
}

/** Defaults to the least role. @throws Problem 422 */
function roleIn(form: URLSearchParams): AdminRole {
  const role = form.get('role') ?? 'viewer';
  if (isAdminRole(role)) return role;
  throw invalid([{ pointer: '/role', message: `Available: ${ADMIN_ROLES.join(', ')}.` }]);
}
