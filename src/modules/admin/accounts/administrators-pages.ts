import { problem, type Response, type ViewModel } from '../../../framework';
import type { AdminPage, PageContext } from '../pages/admin-page';
import type { PageDependencies } from '../pages/page-routes';
import type { FieldError } from '../changes/field-errors';
import { toFormErrors } from '../pages/form-errors';
import { newPassword } from './new-password';

const LIST = '/administrators';

/** Creates the pages that list, add and remove administrators and set their passwords. */
export function administratorsPages({ administrators, sessions }: PageDependencies): readonly AdminPage[] {
  const assertExists = async (name: string): Promise<void> => {
    const names = await administrators.names();
    if (!names.includes(name)) throw problem('name_not_found', { kind: 'administrator', name, names });
  };
  const list = async (
    { show, session }: PageContext,
    typed: { readonly errors?: readonly FieldError[]; readonly name?: string } = {},
  ): Promise<ViewModel> =>
    show(
      'administrators',
      { names: await administrators.names(), self: session.user, ...typed },
      typed.errors === undefined ? 200 : 422,
    );
  const one = async (
    { show, session, parameters: { name = '' } }: PageContext,
    action: 'password' | 'remove',
    errors?: readonly FieldError[],
  ): Promise<ViewModel> => {
    await assertExists(name);
    const isLast = (await administrators.names()).length === 1;
    const variables = { name, action, isLast, isSelf: name === session.user, errors };
    return show('administrator', variables, errors === undefined ? 200 : 422);
  };
  return [
    {
      name: 'administrators',
      pattern: LIST,
      GET: (context) => list(context),
      POST: async (context): Promise<ViewModel | Response> => {
        const name = context.form.get('name') ?? '';
        try {
          await administrators.set(name, newPassword(context.form, name), 'new');
        } catch (error) {
          return list(context, { errors: toFormErrors(error), name });
        }
        return context.redirect(LIST, `Administrator “${name}” added.`);
      },
    },
    {
      name: 'administrator-password',
      pattern: `${LIST}/:name/password`,
      GET: (context) => one(context, 'password'),
      POST: async (context): Promise<ViewModel | Response> => {
        const { form, session, parameters, redirect } = context;
        const { name = '' } = parameters;
        await assertExists(name);
        // The account page asks for the current password.
        if (name === session.user) return redirect('/account');
        try {
          await administrators.set(name, newPassword(form, name), 'existing');
        } catch (error) {
          return one(context, 'password', toFormErrors(error));
        }
        sessions.endAll(name);
        return redirect(LIST, `Password of “${name}” changed. Their sessions have ended.`);
      },
    },
    {
      name: 'administrator-remove',
      pattern: `${LIST}/:name/remove`,
      GET: (context) => one(context, 'remove'),
      POST: async (context): Promise<ViewModel | Response> => {
        const { form, session, parameters, redirect } = context;
        const { name = '' } = parameters;
        await assertExists(name);
        if (name === session.user && form.get('self') !== 'yes') {
          const message = 'Confirm that you want to remove your own account and sign out.';
          return one(context, 'remove', [{ pointer: '/self', message }]);
        }
        try {
          await administrators.remove(name);
        } catch (error) {
          return one(context, 'remove', toFormErrors(error));
        }
        sessions.endAll(name);
        return redirect(LIST, `Administrator “${name}” removed.`);
      },
    },
  ];
}
