// The admin pages of a service with a thousand services in a file of 10 MB, and how long other requests wait meanwhile.
import { AdminClient } from '../measure/admin-client.mjs';
import { longestWait } from '../measure/longest-wait.mjs';
import { get } from '../measure/requests.mjs';
import { median } from '../measure/rounds.mjs';
import { Servers } from '../measure/servers.mjs';
import { table } from '../report/table.mjs';
import { bcryptHash, user } from '../sample/guarded.mjs';
import { largeConfiguration } from '../sample/large.mjs';

/** Targets in milliseconds. */
const MAX_PAGE = 300;
const MAX_WAIT = 50;

const OTHER = get('/v1/atlas/countries/DE');
const PARTS = '/platform-hosting/apis/Large/versions/1/services';
const TEXTS = '/apis/Large-v1/texts/Service7';

/** `isChange`: builds an application, which takes as long as a start. */
const PAGES = [
  { name: 'Overview', path: '' },
  { name: 'APIs', path: '/apis' },
  { name: 'Adapters of an API', path: '/apis/Large-v1' },
  { name: 'Authorization', path: '/apis/Large-v1/authorization' },
  { name: 'Authorization, filtered', path: '/apis/Large-v1/authorization?search=service9+post' },
  { name: 'Documentation of an API', path: '/apis/Large-v1/texts' },
  { name: 'Documentation of a service', path: TEXTS },
  { name: 'Configuration', path: '/configuration' },
  { name: 'Configuration, services', path: `/configuration?at=${PARTS}` },
  { name: 'Configuration, one service', path: `/configuration?at=${PARTS}/Service7` },
  { name: 'Configuration, search', path: '/configuration?search=field_7', isSearch: true },
  { name: 'Listeners', path: '/listeners' },
  { name: 'Revisions', path: '/revisions' },
  {
    name: 'Review of a text',
    path: TEXTS,
    form: { '/versions/1/services/Service7/description': 'Another text.' },
    isChange: true,
  },
];

async function measurePage({ client, port }, { name, path, form }, times) {
  const durations = [];
  const waits = [];
  for (let time = 0; time < times; time++) {
    const wait = await longestWait(port, OTHER, async () => {
      const start = performance.now();
      const { status } = await client.show(path, form);
      durations.push(performance.now() - start);
      if (status !== 200) throw new Error(`The page ${name} responded ${status}.`);
    });
    waits.push(wait);
  }
  return { first: durations[0], later: median(durations.slice(1)), wait: median(waits.slice(1)) };
}

function verdictOf({ name, isSearch = false, isChange = false }, { later, wait }) {
  // The whole configuration is searched.
  const most = isSearch ? 1000 : MAX_PAGE;
  return {
    workload: `Admin, ${name}`,
    target: `${isChange ? '' : `≤ ${most} ms, `}others wait ≤ ${MAX_WAIT} ms`,
    ours: `${Math.round(later)} ms, ${Math.round(wait)} ms`,
    'best peer': '',
    met: (isChange || later <= most) && wait <= MAX_WAIT ? 'yes' : 'no',
  };
}

export default {
  name: 'admin',
  title: 'Admin pages, 1,000 services',
  /** @param {import('../measure/options.mjs').Options} options */
  async measure(options) {
    const { short } = options;
    const servers = new Servers(options);
    try {
      const service = await servers.sample(
        {},
        {
          'config/autoload/large.global.json': JSON.stringify(largeConfiguration(short ? 20 : 1000), null, 2),
          'data/administrators.htpasswd': `${user}:${bcryptHash}\n`,
        },
      );
      const client = await AdminClient.signIn(service.port);
      const results = [];
      for (const page of PAGES)
        results.push({ page, ...(await measurePage({ client, port: service.port }, page, short ? 2 : 8)) });
      return {
        text: table(
          results.map(({ page, first, later, wait }) => ({
            page: page.name,
            'first, ms': Math.round(first),
            'later, ms': Math.round(later),
            'others wait, ms': Math.round(wait),
          })),
        ),
        verdicts: results.map(({ page, ...figures }) => verdictOf(page, figures)),
        failed: 0,
      };
    } finally {
      await servers.stop();
    }
  },
};
