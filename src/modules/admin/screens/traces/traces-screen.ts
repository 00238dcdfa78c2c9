import { problem, type ViewModel } from '../../../../framework';
import type { FieldError } from '../../changes/field-errors';
import type { AdminPage, PageContext, PageResult } from '../../pages/admin-page';
import { shownAgain } from '../../pages/forms/form-errors';
import { pageOf } from '../../pages/paging';
import { placeTimeline } from '../../pictures/timeline';
import { timelineSvg } from '../../pictures/timeline-svg';
import type { AdminServices } from '../../services';
import { formatDuration } from '../lifecycle/lifecycle-picture';
import { entryId, isShortened, nestEntries, outcomeOf, traceTimeline } from './trace-timeline';

const LIST = '/traces';
const PAGE_SIZE = 100;
const DEFAULTS = { requests: '20', minutes: '10', path: '', user: '' };

/** The pages of request traces: recording, the list, and the timeline of a request. */
export function tracesScreen(services: AdminServices): readonly AdminPage[] {
  return [
    {
      name: 'traces',
      role: 'editor',
      pattern: LIST,
      GET: (context) => list(services, context),
      POST: (context) => start(services, context),
      edit: (context) => list(services, context),
    },
    {
      name: 'trace-recording',
      role: 'editor',
      pattern: '/trace-recording',
      POST: (context) => stopOrClear(services, context),
    },
    { name: 'trace', pattern: `${LIST}/:trace`, GET: (context) => show(services, context) },
  ];
}

function list(
  { traces }: AdminServices,
  context: PageContext,
  errors: readonly FieldError[] = [],
): ViewModel {
  const all = traces.list();
  const paging = pageOf(context.query, all.length, PAGE_SIZE);
  const { form } = context;
  const variables = {
    isAvailable: traces.isAvailable,
    state: traces.state,
    traces: all
      .slice(paging.from, paging.to)
      .map((trace) => ({ ...trace, time: formatDuration(trace.duration) })),
    paging,
    values: Object.fromEntries(
      Object.entries(DEFAULTS).map(([name, value]) => [name, form.get(name) ?? value]),
    ),
    errors,
  };
  return context.show('traces', variables);
}

async function start(services: AdminServices, context: PageContext): Promise<PageResult> {
  const { form, actor } = context;
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  try {
    const input = {
      requests: numberOf(text('requests')),
      minutes: numberOf(text('minutes')),
      path: text('path'),
      user: text('user'),
    };
    await services.traces.start(input, actor);
    return context.redirect(LIST, 'Recording requests.');
  } catch (error) {
    return await shownAgain(context.event, error, (errors) => list(services, context, errors));
  }
}

function numberOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

async function stopOrClear(
  { traces }: AdminServices,
  { form, actor, redirect }: PageContext,
): Promise<PageResult> {
  if (form.get('action') === 'clear') {
    await traces.clear(actor);
    return redirect(LIST, 'Removed all traces.');
  }
  await traces.stop(actor);
  return redirect(LIST, 'Stopped recording.');
}

function show(
  { traces }: AdminServices,
  { parameters: { trace: id = '' }, show: showPage }: PageContext,
): ViewModel {
  const trace = traces.find(id);
  if (trace === undefined)
    throw problem('name_not_found', {
      kind: 'trace',
      name: id,
      names: traces
        .list()
        .slice(0, 5)
        .map((one) => one.id),
    });
  const svg = timelineSvg(placeTimeline(traceTimeline(trace)), {
    id: 'timeline',
    title: 'Timeline',
    description: 'What was called for the request, over time. The table below has the same content.',
  });
  return showPage('trace', {
    trace,
    svg,
    isShortened: isShortened(trace),
    time: formatDuration(trace.duration),
    entries: nestEntries(trace.entries).map(({ entry, at, depth }) => ({
      ...entry,
      id: entryId(at),
      depth,
      began: formatDuration(entry.start),
      time: formatDuration(entry.duration),
      did: outcomeOf(entry).join(''),
      isBad: entry.kind === 'statement' ? entry.error !== null : entry.outcome === 'threw',
    })),
  });
}
