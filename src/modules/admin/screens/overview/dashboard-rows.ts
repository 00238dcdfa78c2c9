import type { ApiHealth, Health } from '../../actions/dashboard/api-health';
import type { OperationRow, TopOperations, Traffic } from '../../actions/dashboard/traffic';
import { versionPath } from '../../pages/admin-paths';
import { count, duration, perSecond, percent } from '../../pictures/charts/units';

/** Formatted traffic. */
export interface TrafficTexts {
  readonly requests: string;
  readonly rate: string;
  /** The share of 5xx, and of 4xx. */
  readonly serverErrors: string;
  readonly clientErrors: string;
  readonly p95: string;
  readonly time: string;
}

/** A row of the table of APIs. */
export interface HealthRow extends TrafficTexts {
  readonly name: string;
  /** Of its page, below the admin. */
  readonly path: string;
  readonly health: Health;
  /** The kind of the badge. */
  readonly kind: 'good' | 'warn' | 'bad' | 'plain';
  readonly degraded: readonly string[];
}

/** A row of a list of operations. */
interface TopRow {
  readonly name: string;
  readonly method: string;
  /** Of the page of the API, below the admin; undefined without an API, and for one that was removed. */
  readonly path: string | undefined;
  readonly api: string;
  readonly value: string;
  readonly detail: string;
  /** Compared to the first of the list, 0 to 100. */
  readonly share: number;
}

/** A list of operations. */
export interface TopList {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly TopRow[];
  readonly empty: string;
}

const KINDS = { failing: 'bad', degraded: 'warn', healthy: 'good', idle: 'plain' } as const;
const SEVERITY: readonly Health[] = ['failing', 'degraded', 'healthy', 'idle'];

/** Rows of the APIs: those with problems first, then those with the most requests. */
export function healthRows(apis: readonly ApiHealth[], max: number): readonly HealthRow[] {
  return [...apis]
    .sort(
      (a, b) =>
        SEVERITY.indexOf(a.health) - SEVERITY.indexOf(b.health) ||
        (b.traffic?.requests ?? 0) - (a.traffic?.requests ?? 0),
    )
    .slice(0, max)
    .map(({ api, version, health, traffic, degraded }) => ({
      ...trafficTexts(traffic),
      name: `${api} v${version}`,
      path: versionPath({ api, version }),
      health,
      kind: KINDS[health],
      degraded,
    }));
}

export function trafficTexts(traffic: Traffic | undefined): TrafficTexts {
  if (traffic === undefined)
    return { requests: '0', rate: '–', serverErrors: '–', clientErrors: '–', p95: '–', time: '–' };
  const { requests, requestsPerSecond, serverErrors, clientErrors, p95, seconds } = traffic;
  return {
    requests: count(requests),
    rate: perSecond(requestsPerSecond),
    serverErrors: percent(serverErrors / requests),
    clientErrors: percent(clientErrors / requests),
    p95: p95 === null ? '–' : duration(p95),
    time: duration(seconds),
  };
}

/** The lists of operations. @param apis those that exist: requests to others, removed since, are still counted */
export function topLists(
  { byRequests, byErrors, byTime }: TopOperations,
  apis: readonly ApiHealth[],
): readonly TopList[] {
  const paths = new Set(apis.map(versionPath));
  const list = (
    rows: readonly OperationRow[],
    value: (row: OperationRow) => number,
    texts: (row: OperationRow, shown: TrafficTexts) => readonly [value: string, detail: string],
  ): readonly TopRow[] => {
    const most = Math.max(0, ...rows.map(value));
    return rows.map((row) => {
      const [text, detail] = texts(row, trafficTexts(row));
      const path = versionPath(row);
      return {
        name: nameOf(row),
        method: row.method,
        path: paths.has(path) ? path : undefined,
        api: row.api === '' ? 'platform' : `${row.api} v${row.version}`,
        value: text,
        detail,
        share: most === 0 ? 0 : Math.round((100 * value(row)) / most),
      };
    });
  };
  return [
    {
      id: 'top-requests',
      title: 'Most requests',
      rows: list(
        byRequests,
        ({ requests }) => requests,
        (_, { requests, rate }) => [requests, rate],
      ),
      empty: 'No requests in this time.',
    },
    {
      id: 'top-errors',
      title: 'Most errors',
      rows: list(
        byErrors,
        ({ serverErrors, clientErrors }) => serverErrors + clientErrors,
        ({ serverErrors, clientErrors }) => {
          const client = clientErrors === 0 ? '' : `${count(clientErrors)} × 4xx`;
          return serverErrors === 0 ? [client, ''] : [`${count(serverErrors)} × 5xx`, client];
        },
      ),
      empty: 'No errors in this time.',
    },
    {
      id: 'top-time',
      title: 'Most time',
      rows: list(
        byTime,
        ({ seconds }) => seconds,
        (_, { time, p95 }) => [time, `p95 ${p95}`],
      ),
      empty: 'No requests in this time.',
    },
  ];
}

function nameOf({ operation, method }: OperationRow): string {
  return operation === '' ? `${method} of unknown paths` : operation;
}
