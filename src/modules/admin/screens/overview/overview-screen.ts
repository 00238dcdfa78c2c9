import { pluralize, Problem, type ViewModel } from '../../../../framework';
import type { AdminPage, PageContext } from '../../pages/admin-page';
import { dashboardFragment, dashboardVariables } from './dashboard-view';
import { groupWarnings, splitWarnings } from '../../pages/warning-groups';
import type { AdminServices } from '../../services';
import { rangeOf } from '../ranges';

/** The overview page, its live part, and the reload of manually edited configuration files. */
export function overviewScreen(services: AdminServices): readonly AdminPage[] {
  return [
    { name: 'overview', pattern: '/', role: 'editor', GET: (context) => show(services, context) },
    {
      name: 'dashboard',
      pattern: '/dashboard',
      isPassive: true,
      GET: (context) => dashboardFragment(services, context),
    },
    {
      name: 'reload',
      pattern: '/reload',
      POST: async (context) => {
        try {
          const { restart } = await services.pending.reload(context.actor);
          const more = restart.length === 0 ? '' : ` Requires a restart: ${restart.join(', ')}.`;
          return context.redirect('/', `Configuration reloaded.${more}`);
        } catch (error) {
          if (!(error instanceof Problem) || error.status >= 500) throw error;
          return show(services, context, error);
        }
      },
    },
  ];
}

async function show(services: AdminServices, context: PageContext, problem?: Problem): Promise<ViewModel> {
  const { overview, accessReader } = services;
  const view = await overview.get();
  const { gaps } = await accessReader.read();
  const variables = {
    ...view,
    ...(await dashboardVariables(services, context, rangeOf(context.query))),
    differing: view.differing.map((one) => ({ ...one, count: one.count.toLocaleString('en') })),
    warningGroups: groupWarnings(splitWarnings(view.warnings).others),
    gaps: gaps.length,
    running: duration(view.uptime),
    reloadError: problem?.detail,
  };
  return context.show('overview', variables, problem?.status);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats a number of seconds in its two largest units: `3 days 2 hours`. */
export function duration(seconds: number): string {
  const parts = UNITS.flatMap(([unit, size], at) => {
    const whole = at === 0 ? seconds : seconds % (UNITS[at - 1]?.[1] ?? Infinity);
    const count = Math.floor(whole / size);
    return count === 0 ? [] : [pluralize(count, unit)];
  });
  return parts.length === 0 ? 'less than a minute' : parts.slice(0, 2).join(' ');
}
