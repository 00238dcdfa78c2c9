import { randomBytes } from 'node:crypto';
import { Sealer, type SharedDocuments } from '../../../../src/framework';
import { Drafts } from '../../../../src/modules/admin/sessions/drafts';
import { Reviews } from '../../../../src/modules/admin/sessions/reviews';
import { ShownReviews, type ShownReview } from '../../../../src/modules/admin/sessions/shown-reviews';
import type { FileChange } from '../../../../src/modules/admin/changes/file-change';

const HOUR_MS = 3_600_000;
const FORM = new URLSearchParams({ name: 'ada', password: 'x', again: 'x', old: 'y', csrf: 'z' });
const PLACE = { session: 'one', target: '/administrators' };
const CHANGE: FileChange = {
  file: 'data/administrators.htpasswd',
  review: () => Promise.reject(new Error('not reviewed')),
  apply: () => Promise.resolve(),
};

async function inOrder<T>(count: number, each: (at: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let at = 0; at < count; at++) results.push(await each(at));
  return results;
}

describe('A kept form', () => {
  it('has no passwords and no token', async () => {
    const drafts = new Drafts();
    const token = await drafts.keep('ada', '/administrators', FORM);
    expect([...((await drafts.find(token, 'ada', '/administrators'))?.fields ?? [])]).toEqual([
      ['name', 'ada'],
    ]);
  });

  it('has what is named after a password, but is none', async () => {
    const drafts = new Drafts();
    const names = [
      '/versions/1/services/Note/fields/properties/password/description',
      'rule:PasswordReset.rpc.POST',
      'mode:Shop-v1/PasswordReset',
      'filters/password_changed_at',
      '/options/password_column',
    ];
    const secrets = [
      '/options/bind_password',
      '/options/client_secret',
      '/options/secret',
      '/options/token',
      '/options/api_key',
      '/options/privateKey',
      '/options/credentials/user',
    ];
    const form = new URLSearchParams([...names, ...secrets].map((name) => [name, 'x']));
    const token = await drafts.keep('ada', '/apis', form);
    expect([...((await drafts.find(token, 'ada', '/apis'))?.fields.keys() ?? [])]).toEqual(names);
  });

  it('belongs to its administrator and page, for half an hour', async () => {
    let now = 0;
    const drafts = new Drafts(() => now);
    const token = await drafts.keep('ada', '/administrators', FORM);
    expect(await drafts.find(token, 'grace', '/administrators')).toBeUndefined();
    expect(await drafts.find(token, 'ada', '/account')).toBeUndefined();
    now = HOUR_MS / 2;
    expect(await drafts.find(token, 'ada', '/administrators')).toBeUndefined();
  });

  it('is discarded after 50 later ones', async () => {
    const drafts = new Drafts();
    const tokens = await inOrder(51, () => drafts.keep('ada', '/administrators', FORM));
    const kept = await inOrder(51, async (at) => {
      return (await drafts.find(tokens[at] ?? '', 'ada', '/administrators')) !== undefined;
    });
    expect([kept[0], kept.slice(1).every(Boolean)]).toEqual([false, true]);
  });
});

describe('A reviewed change', () => {
  it('is confirmed once', async () => {
    const reviews = new Reviews();
    const token = await reviews.keep(PLACE, { change: CHANGE, tag: 't', fields: FORM });
    expect((await reviews.take(token, PLACE))?.change).toBe(CHANGE);
    expect(await reviews.take(token, PLACE)).toBeUndefined();
  });

  it('belongs to its session and page, for a quarter of an hour', async () => {
    let now = 0;
    const reviews = new Reviews(() => now);
    const token = await reviews.keep(PLACE, { change: CHANGE, tag: 't', fields: FORM });
    expect(await reviews.take(token, { ...PLACE, session: 'two' })).toBeUndefined();
    expect(await reviews.take(token, { ...PLACE, target: '/account' })).toBeUndefined();
    now = HOUR_MS / 4;
    expect(await reviews.take(token, PLACE)).toBeUndefined();
  });

  it('is discarded after 100 later ones', async () => {
    const reviews = new Reviews();
    const tokens = await inOrder(101, () => reviews.keep(PLACE, { change: CHANGE, tag: 't', fields: FORM }));
    const kept = await inOrder(101, async (at) => {
      return (await reviews.take(tokens[at] ?? '', PLACE)) !== undefined;
    });
    expect([kept[0], kept.slice(1).every(Boolean)]).toEqual([false, true]);
  });
});

/** Reviews in the store of a deployment. */
function withStore() {
  const stored = new Map<string, string>();
  const documents: SharedDocuments = {
    isAvailable: true,
    get: (names) => Promise.resolve(names.map((name) => stored.get(name))),
    put: (name, text) => Promise.resolve(stored.set(name, text).has(name)),
    remove: (name) => Promise.resolve(void stored.delete(name)),
    take: () => Promise.reject(new Error('not taken')),
    increment: () => Promise.reject(new Error('not incremented')),
  };
  const reviews = new ShownReviews(undefined, { documents, sealer: new Sealer([randomBytes(32)]) });
  return { stored, documents, reviews };
}

describe('The page of a review', () => {
  const REVIEW: ShownReview = {
    template: 'difference',
    variables: { summary: 'Change' },
    path: '/apis',
    required: 'editor',
  };
  const keep = async (reviews: ShownReviews, session = 'one', review = REVIEW): Promise<string> =>
    (await reviews.keep(session, review)) ?? 'not kept';

  it('belongs to its session, for a quarter of an hour', async () => {
    let now = 0;
    const reviews = new ShownReviews(() => now);
    const token = await keep(reviews);
    expect(await reviews.find(token, 'one')).toEqual(REVIEW);
    expect(await reviews.find(token, 'two')).toBeUndefined();
    await reviews.setSaved(token, 'two');
    expect(await reviews.find(token, 'one')).toEqual(REVIEW);
    now = HOUR_MS / 4;
    expect(await reviews.find(token, 'one')).toBeUndefined();
  });

  it('takes the place of the one that led to it, unless that was saved or is of another session', async () => {
    const reviews = new ShownReviews();
    const token = await keep(reviews);
    const next = { ...REVIEW, template: 'conflict' };
    expect(await reviews.keep('one', next, token)).toBe(token);
    expect(await reviews.find(token, 'one')).toEqual(next);
    expect(await reviews.keep('two', REVIEW, token)).not.toBe(token);
    expect(await reviews.find(token, 'one')).toEqual(next);
    expect(await reviews.keep('one', REVIEW, 'chosen')).toMatch(/^[\w-]{43}$/);
    await reviews.setSaved(token, 'one');
    expect(await reviews.keep('one', REVIEW, token)).not.toBe(token);
    expect(await reviews.find(token, 'one')).toBe('saved');
  });

  it('is removed with its session, and no other', async () => {
    const reviews = new ShownReviews();
    const [own, other] = [await keep(reviews), await keep(reviews, 'two')];
    await reviews.removeAll('one');
    expect(await reviews.find(own, 'one')).toBeUndefined();
    expect(await reviews.find(other, 'two')).toEqual(REVIEW);
  });

  it('is discarded after 100 later ones', async () => {
    const reviews = new ShownReviews();
    const tokens = await inOrder(101, () => keep(reviews));
    const kept = await inOrder(
      101,
      async (at) => (await reviews.find(tokens[at] ?? '', 'one')) !== undefined,
    );
    expect([kept[0], kept.slice(1).every(Boolean)]).toEqual([false, true]);
  });

  it('is shown by the node that received the form while the store of the deployment is out of reach', async () => {
    const { documents, reviews } = withStore();
    const token = await keep(reviews);
    const fail = () => Promise.reject(new Error('out of reach'));
    Object.assign(documents, { get: fail, put: fail });
    expect(await reviews.find(token, 'one')).toEqual(REVIEW);
    expect(await reviews.find(token, 'two')).toBeUndefined();
    expect(await keep(reviews)).toBe('not kept');
    await reviews.setSaved(token, 'one');
    expect(await reviews.find(token, 'one')).toBe('saved');
  });

  it('stays saved when the store of the deployment is within reach again', async () => {
    const { documents, reviews } = withStore();
    const token = await keep(reviews);
    const { put } = documents;
    Object.assign(documents, { put: () => Promise.reject(new Error('out of reach')) });
    await reviews.setSaved(token, 'one');
    Object.assign(documents, { put });
    expect(await reviews.find(token, 'one')).toBe('saved');
  });

  it('is not discarded for others that are not kept', async () => {
    const { documents, reviews } = withStore();
    const token = await keep(reviews);
    const fail = () => Promise.reject(new Error('out of reach'));
    Object.assign(documents, { get: fail, put: fail });
    await inOrder(100, () => keep(reviews));
    expect(await reviews.find(token, 'one')).toEqual(REVIEW);
  });

  it('is removed from the store of the deployment after 100 later ones', async () => {
    const { stored, reviews } = withStore();
    const tokens = await inOrder(101, () => keep(reviews));
    expect(stored.size).toBe(100);
    expect(await reviews.find(tokens[0] ?? '', 'one')).toBeUndefined();
    expect(await reviews.find(tokens[1] ?? '', 'one')).toEqual(REVIEW);
  });

  it('is not kept above 512 KiB', async () => {
    const reviews = new ShownReviews();
    const long = { ...REVIEW, variables: { summary: 'x'.repeat(512 * 1024) } };
    expect(await keep(reviews, 'one', long)).toBe('not kept');
  });
});
