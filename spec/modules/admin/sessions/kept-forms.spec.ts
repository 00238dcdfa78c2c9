import { Drafts } from '../../../../src/modules/admin/sessions/drafts';
import { Reviews } from '../../../../src/modules/admin/sessions/reviews';
import type { FileChange } from '../../../../src/modules/admin/changes/file-change';

const HOUR_MS = 3_600_000;
const FORM = new URLSearchParams({ name: 'ada', password: 'x', again: 'x', old: 'y', csrf: 'z' });
const PLACE = { session: 'one', target: '/administrators' };
const CHANGE: FileChange = {
  file: 'data/administrators.htpasswd',
  review: () => Promise.reject(new Error('not reviewed')),
  apply: () => Promise.resolve(),
};

describe('A kept form', () => {
  it('has no passwords and no token', () => {
    const drafts = new Drafts();
    const token = drafts.keep('ada', '/administrators', FORM);
    expect([...(drafts.find(token, 'ada', '/administrators')?.fields ?? [])]).toEqual([['name', 'ada']]);
  });

  it('belongs to its administrator and page, for half an hour', () => {
    let now = 0;
    const drafts = new Drafts(() => now);
    const token = drafts.keep('ada', '/administrators', FORM);
    expect(drafts.find(token, 'grace', '/administrators')).toBeUndefined();
    expect(drafts.find(token, 'ada', '/account')).toBeUndefined();
    now = HOUR_MS / 2;
    expect(drafts.find(token, 'ada', '/administrators')).toBeUndefined();
  });

  it('gives way to later ones', () => {
    const drafts = new Drafts();
    const tokens = Array.from({ length: 51 }, () => drafts.keep('ada', '/administrators', FORM));
    const kept = tokens.map((token) => drafts.find(token, 'ada', '/administrators') !== undefined);
    expect([kept[0], kept.slice(1).every(Boolean)]).toEqual([false, true]);
  });
});

describe('A reviewed change', () => {
  it('is confirmed once', () => {
    const reviews = new Reviews();
    const token = reviews.keep(PLACE, { change: CHANGE, tag: 't' });
    expect(reviews.take(token, PLACE)?.change).toBe(CHANGE);
    expect(reviews.take(token, PLACE)).toBeUndefined();
  });

  it('belongs to its session and page, for a quarter of an hour', () => {
    let now = 0;
    const reviews = new Reviews(() => now);
    const token = reviews.keep(PLACE, { change: CHANGE, tag: 't' });
    expect(reviews.take(token, { ...PLACE, session: 'two' })).toBeUndefined();
    expect(reviews.take(token, { ...PLACE, target: '/account' })).toBeUndefined();
    now = HOUR_MS / 4;
    expect(reviews.take(token, PLACE)).toBeUndefined();
  });

  it('gives way to later ones', () => {
    const reviews = new Reviews();
    const tokens = Array.from({ length: 101 }, () => reviews.keep(PLACE, { change: CHANGE, tag: 't' }));
    const kept = tokens.map((token) => reviews.take(token, PLACE) !== undefined);
    expect([kept[0], kept.slice(1).every(Boolean)]).toEqual([false, true]);
  });
});
