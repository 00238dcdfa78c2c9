import { Problem, type ViewModel } from '../../../framework';
import type { AdminPage, PageContext } from '../pages/admin-page';
import type { AdminServices } from '../services';
import { duration } from './duration';

/** The overview page, and the reload of manually edited configuration files. */
export function overviewScreen(services: AdminServices): readonly AdminPage[] {
  return [
    { name: 'overview', pattern: '/', GET: (context) => show(services, context) },
    {
      name: 'reload',
      pattern: '/reload',
      POST: async (context) => {
        try {
          const { restart } = await services.pending.reload();
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

async function show(
  { overview }: AdminServices,
  context: PageContext,
  problem?: Problem,
): Promise<ViewModel> {
  const view = await overview.get();
  const variables = { ...view, running: duration(view.uptime), reloadError: problem?.detail };
  return context.show('overview', variables, problem?.status);
}
