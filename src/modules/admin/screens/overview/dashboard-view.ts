import { ViewModel } from '../../../../framework';
import type { DashboardView } from '../../actions/dashboard/dashboard';
import { examplePath } from '../../actions/insight/example-path';
import type { Range } from '../../actions/dashboard/points';
import type { PageContext } from '../../pages/admin-page';
import { versionPath } from '../../pages/admin-paths';
import { layoutPicture } from '../../pictures/layered-layout';
import { toSvg } from '../../pictures/svg';
import type { AdminServices } from '../../services';
import { rangeLinks, rangeOf } from '../ranges';
import { dashboardCharts } from './dashboard-charts';
import { healthRows, topLists, trafficTexts } from './dashboard-rows';
import { limitMap, serviceMap } from './service-map';
import { servicePicture } from './service-picture';

/** API versions that are listed: those with problems, then those with the most requests. */
const MAX_APIS = 20;
/** Nodes of a column of the picture. */
const MAX_NODES = 10;
/** Services in the table below the picture. */
const MAX_ROWS = 50;
const SIZE = { columnWidth: 190, columnGap: 84, columnsPerRow: 4 };

/** The live part of the overview alone, which a script puts in place of the current one. */
export async function dashboardFragment(services: AdminServices, context: PageContext): Promise<ViewModel> {
  const variables = await dashboardVariables(services, context, rangeOf(context.query));
  // Without the layout, whose messages are for the next page.
  return new ViewModel(
    { ...variables, admin: { url: context.url } },
    { template: 'platform-admin/dashboard' },
  );
}

/** The variables of the template `dashboard`. */
export async function dashboardVariables(
  { dashboard, changes, traces }: AdminServices,
  context: PageContext,
  range: Range,
): Promise<Readonly<Record<string, unknown>>> {
  const view = await dashboard.get(range);
  const traced = new Set(traces.list().map(({ id }) => id));
  const { host, scheme } = context.event.request;
  const limited = limitMap(serviceMap(view), MAX_NODES);
  return {
    isCounting: view.isCounting,
    ranges: rangeLinks(range, context.url('/')),
    range,
    charts: dashboardCharts(view.points, range),
    total: trafficTexts(view.total),
    isIdle: view.total === undefined,
    example: `curl -i ${scheme}://${host ?? 'localhost'}${await examplePath(changes.running)}`,
    health: healthRows(view.apis, MAX_APIS),
    hiddenApis: Math.max(0, view.apis.length - MAX_APIS),
    degraded: view.degraded,
    top: topLists(view.top, view.apis),
    recentErrors: view.errors.map((one) => ({ ...one, isTraced: traced.has(one.requestId) })),
    picture: toSvg(layoutPicture(servicePicture(limited, view.seconds, context.url), SIZE), {
      id: 'service',
      title: 'Requests through the service',
      description:
        'API versions on the left, their services, the adapters that these use, and the databases, with the rate of requests. The table below has the same content.',
    }),
    serviceRows: serviceRows(view),
    hiddenServices: Math.max(0, view.services.length - MAX_ROWS),
  };
}

/** The services with the most requests, for the table below the picture. */
function serviceRows({ services, databases }: DashboardView) {
  const targets = new Map(databases.map(({ name, target }) => [name, target]));
  return [...services]
    .sort((a, b) => (b.traffic?.requests ?? 0) - (a.traffic?.requests ?? 0))
    .slice(0, MAX_ROWS)
    .map(({ api, version, service, adapters, database, traffic }) => ({
      ...trafficTexts(traffic),
      name: service,
      api: `${api} v${version}`,
      path: `${versionPath({ api, version })}/services`,
      adapters,
      database,
      target: database === undefined ? undefined : targets.get(database),
    }));
}
