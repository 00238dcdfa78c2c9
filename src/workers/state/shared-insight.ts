import type { SharedState } from '../../framework';
import { ServiceHistory, type RecentError } from '../../modules/admin';
import { RequestTraces, type RecordingOptions, type RequestTrace } from '../../modules/operations';

/** Something that administrators look at, which a worker has recorded. */
type Insight = { readonly trace: RequestTrace } | { readonly error: RecentError };

/** In a worker: reports what it records, as long as there are modules that show it. */
export function reportInsight(sharedState: SharedState, report: (text: string) => void): void {
  // Traces contain values of authors, which JSON makes plain.
  const send = (insight: Insight): void => report(JSON.stringify(insight));
  const traces = sharedState.find(RequestTraces);
  if (traces !== undefined) traces.onTrace = (trace) => send({ trace });
  const history = sharedState.find(ServiceHistory);
  if (history !== undefined) history.errors.onRecord = (error) => send({ error });
}

/** In a worker: records requests as the primary does; undefined ends that. */
export function record(sharedState: SharedState, options: RecordingOptions | undefined): void {
  const traces = sharedState.find(RequestTraces);
  if (options === undefined) traces?.stop();
  else traces?.start(options);
}

/** In the primary: keeps what a worker has recorded. */
export function keepInsight(sharedState: SharedState, text: string): void {
  // Written by `reportInsight`.
  const insight = JSON.parse(text) as Insight;
  if ('trace' in insight) sharedState.find(RequestTraces)?.receive(insight.trace);
  else sharedState.find(ServiceHistory)?.errors.add(insight.error);
}
