import type { AdminPage } from '../pages/admin-page';
import type { AdminServices } from '../services';

/** The configuration that is in force, where each value comes from, and a search. */
export function configurationScreen({ configuration }: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'configuration',
      pattern: '/configuration',
      GET: ({ show, query }) => {
        const text = query.get('search') ?? '';
        const onlyChanged = query.get('changed') !== null;
        const sections = configuration.sections({ text, onlyChanged });
        const count = sections.reduce((sum, { values }) => sum + values.length, 0);
        return show('configuration', { sections, count, text, onlyChanged });
      },
    },
  ];
}
