import type { AdminPage } from '../pages/admin-page';
import type { AdminServices } from '../services';

/** When events happen, in a sentence each. */
const WHEN: Readonly<Record<string, string>> = {
  'application route': 'A request has come: what it is for, who asks, whether they may, and in which format.',
  'application authentication': 'While a request is routed: who asks?',
  'application authorization': 'While a request is routed: may they?',
  'application dispatch': 'The operation does its work, and its result becomes a view model.',
  'application render': 'The view model is shown; strategies may still be registered.',
  'application response': 'The answer is completed with fields, and sent.',
  'application dispatch.error': 'Something went wrong: a problem takes the place of the result.',
  'application render.error': 'Not even the problem could be shown.',
  'application bootstrap': 'The application is being built; each module attaches its own.',
  'application reload': 'The application has taken the place of another.',
  'application shutdown': 'The application is put away: what it had open is closed.',
  'view renderer': 'Which strategy knows the view model? The first answer counts.',
  'view response': 'The strategy whose renderer was chosen adds the Content-Type.',
};

/** Who listens to what, and which strategies show results. */
export function listenersScreen({ listeners }: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'listeners',
      pattern: '/listeners',
      GET: ({ show }) => {
        const { strategies, observers } = listeners.get();
        const events = listeners
          .list()
          .map((event) => ({ ...event, when: WHEN[`${event.of} ${event.name}`] }));
        return show('listeners', { events, strategies, observers });
      },
    },
  ];
}
