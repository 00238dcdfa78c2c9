import { problem, type ViewModel } from '../../../framework';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-routes';
import { invalid, type FieldError } from '../changes/field-errors';
import type { AuditAction } from '../audit/audit-entry';
import { auditedChange, type FileChange } from '../changes/file-change';
import { newPassword } from './new-password';

const LIST = '/administrators';

/** Creates the pages that list, add and remove administrators and set their passwords. */
export function administratorsPages(dependencies: PageDependencies): readonly AdminPage[] {
  const pages = new AdministratorsPages(dependencies);
  return [
    {
      name: 'administrators',
      pattern: LIST,
      GET: (context) => pages.list(context),
      POST: (context) => pages.add(context),
      edit: (context) => pages.list(context, { name: context.form.get('name') ?? '' }),
    },
    {
      name: 'administrator-password',
      pattern: `${LIST}/:name/password`,
      GET: (context) => pages.form(context, 'password'),
      POST: (context) => pages.setPassword(context),
      edit: (context) => pages.form(context, 'password'),
    },
    {
      name: 'administrator-remove',
      pattern: `${LIST}/:name/remove`,
      GET: (context) => pages.form(context, 'remove'),
      POST: (context) => pages.remove(context),
    },
  ];
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
    typed: { readonly errors?: readonly FieldError[]; readonly name?: string } = {},
  ): Promise<ViewModel> {
    const variables = { names: await this.#administrators.names(), self: session.user, ...typed };
    return show('administrators', variables, typed.errors === undefined ? 200 : 422);
  }

  async form(
    { show, session, parameters: { name = '' } }: PageContext,
    action: 'password' | 'remove',
    errors?: readonly FieldError[],
  ): Promise<ViewModel> {
    await this.#assertExists(name);
    const isLast = (await this.#administrators.names()).length === 1;
    const variables = { name, action, isLast, isSelf: name === session.user, errors };
    return show('administrator', variables, errors === undefined ? 200 : 422);
  }

  add(context: PageContext): Promise<PageResult> {
    const name = context.form.get('name') ?? '';
    const prepare = async (): Promise<FileChange> =>
      this.#audited(
        'administrator_add',
        name,
        context,
        await this.#administrators.set(name, newPassword(context.form, name), 'new', context.actor),
      );
    return context.review(prepare, {
      back: LIST,
      effect: `“${name}” can sign in to the admin then.`,
      done: () => context.redirect(LIST, `Administrator “${name}” added.`),
      invalid: (errors) => this.list(context, { errors, name }),
    });
  }

  async setPassword(context: PageContext): Promise<PageResult> {
    const { form, session, parameters, redirect } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    // The account page asks for the current password.
    if (name === session.user) return redirect('/account');
    const prepare = async (): Promise<FileChange> =>
      this.#audited(
        'password_change',
        name,
        context,
        await this.#administrators.set(name, newPassword(form, name), 'existing', context.actor),
      );
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

  async remove(context: PageContext): Promise<PageResult> {
    const { form, session, parameters, redirect } = context;
    const { name = '' } = parameters;
    await this.#assertExists(name);
    const isSelf = name === session.user;
    const prepare = (): FileChange => {
      if (!isSelf || form.get('self') === 'yes')
        return this.#audited(
          'administrator_remove',
          name,
          context,
          this.#administrators.remove(name, context.actor),
        );
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
    const names = await this.#administrators.names();
    if (!names.includes(name)) throw problem('name_not_found', { kind: 'administrator', name, names });
  }
}
