import {
  entityTag,
  formatEntityTag,
  revisionTags,
  type Revision,
} from '../../../../src/modules/hosting/conditional/revision';

const sent = (revision: Revision): string => formatEntityTag(entityTag(revision, 'v1')!);

describe('An entity tag', () => {
  it.each<[Revision, string]>([
    [7, '"7;v1"'],
    [{ tag: 7, weak: true }, 'W/"7;v1"'],
    [{ tag: 7, weak: false, variant: 'short' }, '"7;short-v1"'],
    [{ tag: 'a"b', weak: false, variant: 'a "b"; ü,' }, '"a%22b;a%20%22b%22%3B%20%C3%BC%2C-v1"'],
    [{ tag: 7, weak: false, variant: 2 as unknown as string }, '"7;2-v1"'],
  ])('of the revision %j has only characters that tags may have: %s', (revision, text) => {
    expect(sent(revision)).toBe(text);
  });

  it('may have a format whose name has other characters', () => {
    const variant = 'v1-my "csv"; €';
    const tag = entityTag(7, variant)!;
    expect(formatEntityTag(tag)).toBe('"7;v1-my%20%22csv%22%3B%20%E2%82%AC"');
    expect(revisionTags(formatEntityTag(tag))).toEqual([tag]);
  });

  it('may be of a service that does not escape: text that is not percent-encoded stands for itself', () => {
    expect(revisionTags('"100%", "%C3%BC"')).toEqual([
      { revision: '100%', weak: false, variant: '' },
      { revision: 'ü', weak: false, variant: '' },
    ]);
  });

  it('may be of a counter that a database driver returns as a bigint', () => {
    expect(sent((2n ** 63n) as unknown as Revision)).toBe('"9223372036854775808;v1"');
  });

  it('is the one that was sent, whatever characters its variant has', () => {
    const revision = { tag: 'a b', weak: false, variant: 'x;"y"' };
    expect(revisionTags(sent(revision))).toEqual([entityTag(revision, 'v1')]);
  });
});
