import { problem, type ViewModel } from '../../../../framework';
import { HTTP_ADAPTER } from '../../actions/adapters/adapter-kinds';

import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import type { AdminServices } from '../../services';
import { AdapterForm } from './adapter-form';
import { optionFields } from './option-field';
import { fieldErrorsOf } from '../../pages/forms/form-errors';

const LIST = '/adapters';

/** The pages that list, add, edit, test and remove authentication adapters. */
export function adaptersScreen(services: AdminServices): readonly AdminPage[] {
  const { adapters } = services;
  return [
    {
      name: 'adapters',
      pattern: LIST,
      GET: async ({ show }) =>
        show('adapters', {
          adapters: await adapters.list(),
          opened: await openedFiles(services),
          types: await types(services),
        }),
    },
    {
      name: 'adapter-new',
      pattern: `${LIST}/new`,
      GET: async (context) => (await newForm(services, context)).show(),
      edit: async (context) => (await newForm(services, context)).showChecked(),
      POST: (context) => create(services, context),
    },
    {
      // The stable link to an adapter.
      name: 'adapter',
      pattern: `${LIST}/:name`,
      GET: ({ parameters, redirect }) => redirect(pathOf(parameters.name, 'edit')),
    },
    {
      name: 'adapter-edit',
      pattern: `${LIST}/:name/edit`,
      GET: async (context) => (await editForm(services, context)).show(),
      edit: async (context) => (await editForm(services, context)).showChecked(),
      POST: (context) => replace(services, context),
    },
    {
      name: 'adapter-remove',
      pattern: `${LIST}/:name/remove`,
      GET: async (context) => removal(services, context),
      POST: async (context) => {
        const { name = '' } = context.parameters;
        const page = await adapters.get(name);
        return context.propose(() => adapters.prepareRemove(name), {
          done: LIST,
          ifMatch: context.form.get('tag') ?? undefined,
          invalid: (error) => context.show('adapter-remove', { adapter: page, errors: fieldErrorsOf(error) }),
        });
      },
    },
    {
      name: 'adapter-sign-in',
      pattern: `${LIST}/:name/sign-in`,
      GET: async ({ show, parameters: { name = '' } }) =>
        show('adapter-sign-in', { adapter: await adapters.get(name) }),
      edit: async ({ show, form, parameters: { name = '' } }) =>
        show('adapter-sign-in', { adapter: await adapters.get(name), username: form.get('user') }),
      POST: (context) => trySignIn(services, context),
    },
  ];
}

const no = (): boolean => false;

/** The files that the admin opens, by adapter and option: a configured path may have other forms. */
async function openedFiles({ passwordFiles }: AdminServices): Promise<readonly string[]> {
  const files = await passwordFiles.list();
  return files
    .filter(({ exists, refusal }) => exists && refusal === undefined)
    .flatMap(({ kind, adapters }) => adapters.map((name) => `${kind} ${name}`));
}

/** Returns the choices of the "Add adapter" menu. */
async function types({ adapters }: AdminServices): Promise<readonly { label: string; query: string }[]> {
  const kinds = await adapters.kinds();
  // A kind without options needs one adapter only, which its module configures.
  const others = kinds.filter(
    ({ name, schema }) => name !== HTTP_ADAPTER && optionFields(schema, no).length > 0,
  );
  return [
    { label: 'Digest', query: 'type=digest' },
    { label: 'Basic', query: 'type=basic' },
    ...others.map(({ name }) => ({ label: name, query: `kind=${encodeURIComponent(name)}` })),
  ];
}

async function newForm(services: AdminServices, context: PageContext): Promise<AdapterForm> {
  const { query, form } = context;
  const name = form.get('kind') ?? query.get('kind') ?? HTTP_ADAPTER;
  const kinds = await services.adapters.kinds();
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) {
    throw problem('name_not_found', { kind: 'kind of adapter', name, names: kinds.map((one) => one.name) });
  }
  const scheme = query.get('type') === 'basic' ? 'basic' : 'digest';
  const options = {
    accept_schemes: [scheme],
    ...(scheme === 'digest' ? { digest_domains: '', nonce_timeout: '3600' } : {}),
  };
  return new AdapterForm(services, context, {
    kind,
    options: name === HTTP_ADAPTER ? options : {},
    variables: {
      type: name === HTTP_ADAPTER ? (scheme === 'basic' ? 'Basic' : 'Digest') : name,
      files: await services.passwordFiles.list(),
    },
  });
}

async function editForm(services: AdminServices, context: PageContext): Promise<AdapterForm> {
  const { name = '' } = context.parameters;
  const adapter = await services.adapters.get(name);
  const kind = (await services.adapters.kinds()).find((one) => one.name === adapter.kind);
  // An active adapter has a known kind.
  if (kind === undefined) throw new TypeError(`The adapter kind "${adapter.kind}" does not exist.`);
  return new AdapterForm(services, context, {
    name,
    kind,
    options: adapter.options,
    variables: {
      adapter,
      type: adapter.type,
      // A submitted form keeps its tag.
      tag: context.form.get('tag') ?? adapter.tag,
      files: await services.passwordFiles.list(),
    },
  });
}

async function create(services: AdminServices, context: PageContext): Promise<PageResult> {
  const form = await newForm(services, context);
  if (context.form.get('do') === 'check') return form.showChecked();
  const name = context.form.get('name') ?? '';
  const kind = context.form.get('kind') ?? '';
  const prepare = async () => services.adapters.prepareCreate(name, kind, await form.submittedOptions());
  return context.propose(prepare, {
    done: LIST,
    invalid: (problem) => form.showErrors(problem),
  });
}

async function replace(services: AdminServices, context: PageContext): Promise<PageResult> {
  const { name = '' } = context.parameters;
  const form = await editForm(services, context);
  if (context.form.get('do') === 'check') return form.showChecked();
  const prepare = async () => services.adapters.prepareReplace(name, await form.submittedOptions());
  return context.propose(prepare, {
    done: LIST,
    ifMatch: context.form.get('tag') ?? undefined,
    invalid: (problem) => form.showErrors(problem),
  });
}

async function removal(
  { adapters }: AdminServices,
  { show, parameters: { name = '' } }: PageContext,
): Promise<ViewModel> {
  return show('adapter-remove', { adapter: await adapters.get(name) });
}

async function trySignIn(
  { adapters }: AdminServices,
  { show, form, event, parameters: { name = '' } }: PageContext,
): Promise<PageResult> {
  const adapter = await adapters.get(name);
  const username = form.get('user') ?? '';
  const password = form.get('password') ?? '';
  if (username === '') {
    const errors = [{ pointer: '/user', message: 'Enter a user name.' }];
    return show('adapter-sign-in', { adapter, errors }, 422);
  }
  const { address } = event.request;
  const result = await adapters.trySignIn(name, { username, password, address });
  return show('adapter-sign-in', { adapter, username, result });
}

function pathOf(name = '', page: string): string {
  return `${LIST}/${encodeURIComponent(name)}/${page}`;
}
