import { useBench } from '../bench';
import { digest } from '../digest-client';
import { fronts, targets } from '../guarded-platform';
import type { Verdict } from '../verdict';

const VISITS = targets.digest;
const PAGE = `${VISITS}?page=1&page_size=5`;

type UriCase = readonly [what: string, verdict: Verdict, target: string, uri: string];

const same: readonly UriCase[] = [
  ['a path', 'is accepted', VISITS, VISITS],
  ['a path and a query', 'is accepted', PAGE, PAGE],
  ['an empty query', 'is accepted', `${VISITS}?`, `${VISITS}?`],
  ['a path with an encoded letter', 'is accepted', '/v2/atlas/%76isits', '/v2/atlas/%76isits'],
  ['an absolute form', 'is accepted', `http://127.0.0.1${VISITS}`, `http://127.0.0.1${VISITS}`],
  [
    'an absolute form with another letter case',
    'is accepted',
    `http://Example.org${VISITS}`,
    `HTTP://example.ORG${VISITS}`,
  ],
  ['a path, where a proxy made the target absolute,', 'is accepted', `http://127.0.0.1${VISITS}`, VISITS],
  [
    'an absolute form, where a proxy made the target a path,',
    'is accepted',
    VISITS,
    `http://127.0.0.1${VISITS}`,
  ],
];

const other: readonly UriCase[] = [
  ['a uri without the query', 'is rejected', PAGE, VISITS],
  ['a uri with half of the query', 'is rejected', PAGE, `${VISITS}?page=1`],
  ['a uri with a query that was not requested', 'is rejected', VISITS, PAGE],
  ['a uri with an empty query that was not requested', 'is rejected', VISITS, `${VISITS}?`],
  ['a uri without the empty query', 'is rejected', `${VISITS}?`, VISITS],
  ['a uri with the query in another order', 'is rejected', PAGE, `${VISITS}?page_size=5&page=1`],
  ['a uri with a query value in another encoding', 'is rejected', `${VISITS}?page=1`, `${VISITS}?page=%31`],
  ['a uri with an extra ampersand', 'is rejected', `${VISITS}?page=1`, `${VISITS}?page=1&`],
  ['a uri with a fragment', 'is rejected', VISITS, `${VISITS}#top`],
  ['a uri with an encoded letter', 'is rejected', VISITS, '/v2/atlas/%76isits'],
  ['a uri with a letter that was sent encoded', 'is rejected', '/v2/atlas/%76isits', VISITS],
  ['a uri with encoding in another letter case', 'is rejected', '/v2/at%6cas/visits', '/v2/at%6Cas/visits'],
  ['a uri in upper case', 'is rejected', VISITS, VISITS.toUpperCase()],
  ['a uri with a trailing slash', 'is rejected', VISITS, `${VISITS}/`],
  ['a uri with a leading slash', 'is rejected', VISITS, `/${VISITS}`],
  ['a uri without the leading slash', 'is rejected', VISITS, VISITS.slice(1)],
  ['a uri with dot segments', 'is rejected', VISITS, '/v2/atlas/countries/../visits'],
  ['a uri of another service', 'is rejected', VISITS, targets.brief],
  ['a uri of an entity', 'is rejected', VISITS, `${VISITS}/1`],
  ['a uri of another version', 'is rejected', VISITS, targets.basic],
  ['a uri without version', 'is rejected', VISITS, '/atlas/visits'],
  ['a uri of the root', 'is rejected', VISITS, '/'],
  ['an asterisk', 'is rejected', VISITS, '*'],
  ['an empty uri', 'is rejected', VISITS, ''],
  ['a uri with a trailing space', 'is rejected', VISITS, `${VISITS} `],
  ['a uri with a leading space', 'is rejected', VISITS, ` ${VISITS}`],
  [
    'an absolute form of another host than the Host header,',
    'is rejected',
    VISITS,
    `http://example.org${VISITS}`,
  ],
  [
    'an absolute form of another port than the Host header',
    'is rejected',
    VISITS,
    `http://127.0.0.1:81${VISITS}`,
  ],
  ['a host alone', 'is rejected', VISITS, 'http://127.0.0.1'],
  ['an absolute form of another path', 'is rejected', VISITS, `http://127.0.0.1${targets.brief}`],
  ['an absolute form without the query', 'is rejected', PAGE, `http://127.0.0.1${VISITS}`],
  [
    'an absolute form of another host than the absolute target',
    'is rejected',
    `http://a${VISITS}`,
    `http://b${VISITS}`,
  ],
  [
    'an absolute form of another scheme than the absolute target',
    'is rejected',
    `http://a${VISITS}`,
    `https://a${VISITS}`,
  ],
  [
    'an absolute form of another port than the absolute target',
    'is rejected',
    `http://a${VISITS}`,
    `http://a:81${VISITS}`,
  ],
  ['a uri without scheme', 'is rejected', VISITS, `//127.0.0.1${VISITS}`],
  ['a uri of 10 KB', 'is rejected', VISITS, `${VISITS}?${'x'.repeat(10_000)}`],
];

describe.each(fronts)('the uri of Digest (RFC 7616, 3.4.6), over %s', (front) => {
  const bench = useBench(front);

  const expectVerdictFor = async (
    verdict: Verdict,
    target: string,
    uri: string,
    nonce = '',
  ): Promise<void> => {
    const { sign } = await bench().client();
    const authorization = digest(sign({ uri, ...(nonce === '' ? {} : { nonce }) }));
    bench().expect(await bench().request({ target, authorization }), verdict);
  };

  // The URL of a `fetch` request has one notation of each host.
  const requested =
    front === 'the server'
      ? same
      : same.filter(([what]) => what !== 'an absolute form with another letter case');
  it.each(requested)('%s requested for %s', (_, verdict, target, uri) =>
    expectVerdictFor(verdict, target, uri),
  );

  it.each(other)('%s %s', (_, verdict, target, uri) => expectVerdictFor(verdict, target, uri));

  it('is not marked stale when the uri differs', () =>
    expectVerdictFor('is rejected', VISITS, '/', '0'.repeat(68)));

  it('rejects the digest of the target when the uri differs', async () => {
    const { sign } = await bench().client();
    const authorization = digest({ ...sign(), uri: `"${PAGE}"` });
    bench().expect(await bench().request({ target: VISITS, authorization }), 'is rejected');
  });
});
