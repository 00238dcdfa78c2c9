import {
  injectInto,
  MvcEvent,
  ViewEvent,
  type Application,
  type Event,
  type ListenerCall,
} from '../../../../framework';
import { invalid } from '../../changes/field-errors';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import type { EventView } from '../insight/event-listeners';
import { randomUUID } from 'node:crypto';

/** How long the listeners of a request took. */
export interface RequestMeasurement {
  readonly path: string;
  /** Undefined if the response was not complete in time. */
  readonly status: number | undefined;
  /** Of the whole request, in milliseconds. */
  readonly duration: number;
  /** In ISO 8601. */
  readonly at: string;
  /** The durations of the listeners that were called, in milliseconds, by {@link callKey}. */
  readonly calls: ReadonlyMap<string, number>;
}

/** Streams may never end. */
const TIMEOUT_MS = 5_000;
const MAX_PATH = 2_000;
/** What a request line may contain: visible ASCII. */
const PATH = /^\/[\x21-\x7e]*$/;

/** The key of a listener in a measurement. */
export function callKey(of: EventView['of'], event: string, sequence: number): string {
  return `${of} ${event} ${sequence}`;
}

/**
 * Measures single requests on demand, so that other requests cost nothing. Measurements are kept until the application
 * is replaced: its listeners may be others then.
 */
export class RequestTimings {
  readonly #changes: ConfigurationChanges;
  readonly #latest = new WeakMap<Application, RequestMeasurement>();

  constructor(changes: ConfigurationChanges) {
    this.#changes = changes;
  }

  /** The latest measurement of the running application. */
  latest(): RequestMeasurement | undefined {
    return this.#latest.get(this.#changes.running);
  }

  /**
   * Handles a GET request of a guest, and measures its listeners. Its response is discarded.
   * @param path with the query
   * @throws Problem 422 for an invalid path
   */
  async measure(path: string): Promise<RequestMeasurement> {
    if (!PATH.test(path) || path.length > MAX_PATH) {
      const message =
        'Enter a path that starts with "/" and is percent-encoded, such as /v1/atlas/countries.';
      throw invalid([{ pointer: '/path', message }]);
    }
    const { running } = this.#changes;
    const id = randomUUID();
    const request = new MeasuredRequest(id);
    const end = [
      running.events.observeCalls((call) => request.add('application', call)),
      running.view.events.observeCalls((call) => request.add('view', call)),
    ];
    const at = new Date().toISOString();
    const started = performance.now();
    try {
      const status = await statusOf(running, path, id);
      const duration = performance.now() - started;
      const measurement = { path, status, duration, at, calls: request.calls };
      this.#latest.set(running, measurement);
      return measurement;
    } finally {
      for (const stop of end) stop();
    }
  }
}

/** Returns the status of a complete response; undefined if it takes too long. */
async function statusOf(application: Application, path: string, id: string): Promise<number | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const headers = { 'X-Request-Id': id };
    const response = await injectInto(application, { path, headers, signal });
    await response.body?.pipeTo(new WritableStream());
    return response.status;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Collects the calls of one request; others may run at the same time. */
class MeasuredRequest {
  readonly calls = new Map<string, number>();
  readonly #id: string;
  #event: MvcEvent | undefined;

  constructor(id: string) {
    this.#id = id;
  }

  add(of: EventView['of'], { name, event, sequence, duration }: ListenerCall): void {
    if (!this.#isOwn(event)) return;
    const key = callKey(of, name, sequence);
    this.calls.set(key, (this.calls.get(key) ?? 0) + duration);
  }

  #isOwn(event: Event): boolean {
    if (event instanceof ViewEvent) return event.response === this.#event?.response;
    const own = event instanceof MvcEvent ? event : mvcEventOf(event);
    if (own?.request.id !== this.#id) return false;
    this.#event = own;
    return true;
  }
}

/** The request behind an event that is triggered during routing, such as `authentication`. */
function mvcEventOf(event: Event): MvcEvent | undefined {
  if (!('mvcEvent' in event)) return undefined;
  return event.mvcEvent instanceof MvcEvent ? event.mvcEvent : undefined;
}
