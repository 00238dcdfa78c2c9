import type { ViewModel } from '../../../../framework';
import { examplePath } from '../../actions/insight/example-path';
import { lifecycleOf } from '../../actions/lifecycle/lifecycle';
import type { RequestMeasurement } from '../../actions/lifecycle/request-timings';
import type { FieldError } from '../../changes/field-errors';
import { shownAgain } from '../../pages/forms/form-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { layoutPicture } from '../../pictures/layered-layout';
import { toSvg } from '../../pictures/svg';
import type { AdminServices } from '../../services';
import { durationOf, eventId, formatDuration, lifecyclePicture, rowId } from './lifecycle-picture';

const PATH = '/listeners';
const SIZE = { columnWidth: 190, columnGap: 30, columnsPerRow: 4 };

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

/** The page of the request lifecycle: event listeners, rendering strategies and observers. */
export function lifecycleScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'listeners',
      pattern: PATH,
      role: 'viewer',
      GET: (context) => show(services, context, undefined),
      edit: (context) => show(services, context, context.form.get('path') ?? undefined),
      POST: (context) => measure(services, context),
    },
  ];
}

async function measure(services: AdminServices, context: PageContext): Promise<PageResult> {
  const path = context.form.get('path') ?? '';
  try {
    await services.timings.measure(path);
    return context.redirect(PATH, `Measured GET ${path}.`);
  } catch (error) {
    return await shownAgain(context.event, error, (errors) => show(services, context, path, errors));
  }
}

async function show(
  services: AdminServices,
  { show: showPage }: PageContext,
  path: string | undefined,
  errors: readonly FieldError[] = [],
): Promise<ViewModel> {
  const { listeners, timings } = services;
  const { strategies, observers } = listeners.get();
  const measured = timings.latest();
  const phases = lifecycleOf(listeners.list());
  const svg = toSvg(layoutPicture(lifecyclePicture(phases, measured), SIZE), {
    id: 'lifecycle',
    title: 'Request lifecycle',
    description:
      'The phases of a request in order, each with its listeners by priority. The tables below have the same content.',
  });
  const variables = {
    svg,
    events: eventsOf(services, measured),
    strategies,
    observers,
    measured: measured && { ...measured, time: formatDuration(measured.duration) },
    path: path ?? measured?.path ?? (await examplePath(services.changes.running)),
    errors,
  };
  return showPage('listeners', variables);
}

function eventsOf({ listeners }: AdminServices, measured: RequestMeasurement | undefined) {
  return listeners.list().map((event) => ({
    ...event,
    id: eventId({ of: event.of, event: event.name }),
    when: WHEN[`${event.of} ${event.name}`],
    listeners: event.listeners.map((listener) => {
      const one = { of: event.of, event: event.name, sequence: listener.sequence };
      const duration = measured && durationOf(one, measured);
      return { ...listener, id: rowId(one), time: duration === undefined ? '–' : formatDuration(duration) };
    }),
  }));
}
