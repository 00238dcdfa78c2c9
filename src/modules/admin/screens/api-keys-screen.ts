import type { ViewModel } from '../../../framework';
import type { ListedKey, SentKey } from '../actions/api-keys/api-keys';
import { invalid, type FieldError } from '../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../pages/admin-page';
import { shownAgain } from '../pages/forms/form-errors';
import type { AdminServices } from '../services';

const LIST = '/api-keys';

/** Keys on one page, at most; others are found by their beginning or owner. */
const MAX_KEYS = 200;

/** Seconds of a rate limit without a window. */
const DEFAULT_WINDOW = 60;

/** The pages of API keys. A key is shown once, when it is created. */
export function apiKeysScreen(services: AdminServices): readonly AdminPage[] {
  const pages = new ApiKeysPages(services);
  return [
    { name: 'api-keys', pattern: LIST, GET: (context) => pages.list(context) },
    {
      name: 'api-keys-adapter',
      pattern: `${LIST}/keys`,
      GET: (context) => pages.keys(context),
      POST: (context) => pages.create(context),
      edit: (context) => pages.keys(context),
    },
    {
      name: 'api-key-revoke',
      pattern: `${LIST}/revoke`,
      GET: (context) => pages.confirm(context),
      POST: (context) => pages.revoke(context),
    },
  ];
}

class ApiKeysPages {
  readonly #keys: AdminServices['apiKeys'];

  constructor({ apiKeys }: AdminServices) {
    this.#keys = apiKeys;
  }

  list({ show }: PageContext): ViewModel {
    return show('api-keys', { adapters: this.#keys.adapters() });
  }

  async keys(
    { show, query, form }: PageContext,
    errors: readonly FieldError[] = [],
    created?: { readonly key: string; readonly owner: string },
  ): Promise<ViewModel> {
    const adapter = query.get('adapter') ?? '';
    const find = (query.get('search') ?? '').trim();
    const all = (await this.#keys.list(adapter)).filter((key) => matches(key, find));
    const file = this.#keys.adapters().find((one) => one.adapter === adapter)?.file;
    // A created key leaves an empty form.
    const sent = created === undefined ? form : new URLSearchParams();
    const typed = Object.fromEntries(
      ['owner', 'scopes', 'groups', 'expires', 'limit', 'window'].map((name) => [name, sent.get(name) ?? '']),
    );
    const more = Math.max(0, all.length - MAX_KEYS);
    const variables = { adapter, file, find, keys: all.slice(0, MAX_KEYS), more, typed, created, errors };
    return show('api-key-list', variables);
  }

  /** Not reviewed: it changes no other key, and the response is the only one that may contain the key. */
  async create(context: PageContext): Promise<PageResult> {
    const { form, query, actor } = context;
    try {
      const sent = sentKey(form);
      const { key } = await this.#keys.create(query.get('adapter') ?? '', sent, actor);
      return await this.keys(context, [], { key, owner: sent.owner });
    } catch (error) {
      return await shownAgain(context.event, error, (errors) => this.keys(context, errors));
    }
  }

  async confirm({ show, query }: PageContext, errors: readonly FieldError[] = []): Promise<ViewModel> {
    const [adapter, id] = [query.get('adapter') ?? '', query.get('id') ?? ''];
    const key = (await this.#keys.list(adapter)).find((one) => one.id === id);
    return show('api-key-revoke', { adapter, id, key, errors });
  }

  revoke(context: PageContext): Promise<PageResult> {
    const { query, actor, redirect } = context;
    const [adapter, id] = [query.get('adapter') ?? '', query.get('id') ?? ''];
    const back = `${LIST}/keys?${new URLSearchParams({ adapter }).toString()}`;
    return context.review(() => this.#keys.revoke(adapter, id, actor), {
      back,
      effect: 'Requests with this key are refused. This cannot be undone.',
      done: () => redirect(back, `Revoked ${id}.`),
      invalid: (errors) => this.confirm(context, errors),
    });
  }
}

function matches({ id, owner }: ListedKey, text: string): boolean {
  return id.startsWith(text) || owner.toLowerCase().includes(text.toLowerCase());
}

function sentKey(form: URLSearchParams): SentKey {
  const words = (name: string): readonly string[] =>
    (form.get(name) ?? '').split(/[\s,]+/).filter((word) => word !== '');
  return {
    owner: (form.get('owner') ?? '').trim(),
    scopes: words('scopes'),
    groups: words('groups'),
    expires: (form.get('expires') ?? '').trim(),
    ...rateLimitIn(form),
  };
}

/** Reads the rate limit; its window defaults to a minute. @throws Problem 422 */
function rateLimitIn(form: URLSearchParams): Pick<SentKey, 'rateLimit'> {
  const [limit = '', window = ''] = ['limit', 'window'].map((name) => (form.get(name) ?? '').trim());
  if (limit === '' && window === '') return {};
  const errors = [
    ...(isCount(limit, 9)
      ? []
      : [{ pointer: '/limit', message: 'Enter a number of requests greater than 0.' }]),
    ...(window === '' || isCount(window, 7)
      ? []
      : [{ pointer: '/window', message: 'Enter a number of seconds greater than 0.' }]),
  ];
  if (errors.length > 0) throw invalid(errors);
  return { rateLimit: { limit: Number(limit), window: window === '' ? DEFAULT_WINDOW : Number(window) } };
}

/** @param digits at most */
function isCount(text: string, digits: number): boolean {
  return /^[1-9]\d*$/.test(text) && text.length <= digits;
}
