import type { AdminPage } from '../pages/admin-page';
import type { AdminServices } from '../services';

/** A description of each event. */
const WHEN: Readonly<Record<string, string>> = {
  'application route': 'Matches the route, authenticates, authorizes and negotiates the response format.',
  'application authentication': 'Authenticates the request, during routing.',
  'application authorization': 'Authorizes the request, during routing.',
  'application dispatch': 'Runs the operation and turns its result into a view model.',
  'application render': 'Renders the view model; strategies can still be registered.',
  'application response': 'Completes the response with header fields before it is sent.',
  'application dispatch.error': 'Turns an error into a problem response.',
  'application render.error': 'Handles an error while rendering.',
  'application bootstrap': 'Modules attach their listeners while the application is built.',
  'application reload': 'The application has replaced another after a reload.',
  'application shutdown': 'Closes the resources of an application that is replaced or stopped.',
  'view renderer': 'Chooses the strategy for the view model; the first result wins.',
  'view response': 'The chosen strategy sets the Content-Type.',
};

/** The page of event listeners, rendering strategies and observers. */
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
