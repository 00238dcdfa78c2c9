import {
  asCurrentRequest,
  currentRequest,
  hasPathPrefix,
  isThenable,
  MvcEvent,
  type Application,
  type ListenerCall,
  type MaybePromise,
} from '../../../framework';
import { observeStatements } from '../statements';
import { Recording, type RecordingOptions, type RecordingState } from './recording';
import type { RequestTrace, TracedCall, TraceSummary } from './request-trace';
import { shortenPath } from './shorten-path';
import { TraceRecorder } from './trace-recorder';
import { TraceStore, type TraceLimits } from './trace-store';

/** How long the listeners of requests in flight are still observed after recording has ended. */
const GRACE_MS = 30_000;

/** Streams may never end: further requests are not recorded. */
const MAX_OPEN = 200;

interface TraceSettings extends TraceLimits {
  /** Whether all requests are recorded. */
  readonly always: boolean;
}

interface Observed {
  readonly settings: TraceSettings;
  /** Ends observing its requests. */
  end: (() => void) | undefined;
}

/**
 * Records requests, and keeps their traces over reloads. Nothing is attached to applications unless requests are
 * recorded: they cost nothing then.
 */
export class RequestTraces {
  readonly #store: TraceStore;
  /** Those that are built, whether they are active or not. */
  readonly #applications = new Map<Application, Observed>();
  readonly #recorders = new WeakMap<MvcEvent, TraceRecorder>();
  readonly #ignored = new Set<string>();
  #always = false;
  #recording: Recording | undefined;
  #timer: NodeJS.Timeout | undefined;
  #open = 0;
  #endStatements: (() => void) | undefined;
  /** Called when a recording on demand starts, and with undefined when it ends: for other processes to record as well. */
  onRecording: ((options: RecordingOptions | undefined) => void) | undefined;
  /** Called with the traces that are recorded here, instead of keeping them: for another process to {@link receive}. */
  onTrace: ((trace: RequestTrace) => void) | undefined;

  constructor(limits: TraceLimits) {
    this.#store = new TraceStore(limits);
  }

  /** Records the requests of an application while requests are recorded. Its settings apply once it is active. */
  attach(application: Application, settings: TraceSettings): void {
    this.#applications.set(application, { settings, end: undefined });
    this.#update();
    application.events.attach('shutdown', () => {
      this.#applications.get(application)?.end?.();
      this.#applications.delete(application);
    });
  }

  /** Applies the settings of the application that handles all further requests. */
  activate(application: Application): void {
    const settings = this.#applications.get(application)?.settings;
    if (settings !== undefined) this.#store.setLimits(settings);
    this.#always = settings?.always === true;
    this.#update();
  }

  /** Does not record paths at and below a path, such as the pages that show traces, unless a recording names a path. */
  ignore(path: string): void {
    this.#ignored.add(path);
  }

  /** Starts a recording on demand, which replaces the previous one. */
  start(options: RecordingOptions): RecordingState {
    this.#recording = new Recording(options);
    this.#endAfter(this.#recording.timeLeft);
    this.#update();
    this.onRecording?.(options);
    return this.state;
  }

  /** Stops recording on demand. */
  stop(): RecordingState {
    this.#recording = undefined;
    this.#endAfter(GRACE_MS);
    this.#update();
    this.onRecording?.(undefined);
    return this.state;
  }

  /** Keeps a trace that another process has recorded. */
  receive(trace: RequestTrace): void {
    if (this.#recording?.keeps(trace.path, trace.user) === true || this.#always) this.#store.add(trace);
    if (this.#recording?.isOver === true) this.stop();
  }

  /** The recording on demand, to continue it in another process; undefined without one. */
  get ongoing(): RecordingOptions | undefined {
    const recording = this.#recording?.isOver === false ? this.#recording : undefined;
    return recording?.rest;
  }

  get state(): RecordingState {
    const recording = this.#recording?.isOver === false ? this.#recording : undefined;
    return {
      recording: this.#always || recording !== undefined,
      always: this.#always,
      ...(recording?.state ?? { remaining: 0, until: null, path: null, user: null }),
    };
  }

  /** Newest first. */
  list(): readonly TraceSummary[] {
    return this.#store.list();
  }

  /** @param id a request id */
  find(id: string): RequestTrace | undefined {
    return this.#store.find(id);
  }

  clear(): void {
    this.#store.clear();
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#recording !== undefined) this.stop();
      else if (!this.#always) this.#release();
    }, milliseconds).unref();
  }

  /** Observes the applications as long as requests are recorded, or recorded ones are in flight. */
  #update(): void {
    if (!this.state.recording) {
      if (this.#open === 0) this.#release();
      return;
    }
    // Once for all applications, which share databases.
    this.#endStatements ??= observeStatements((statement) => {
      if (statement.event !== undefined) this.#recorders.get(statement.event)?.addStatement(statement);
    });
    for (const [application, observed] of this.#applications) observed.end ??= this.#observe(application);
  }

  #release(): void {
    this.#endStatements?.();
    this.#endStatements = undefined;
    for (const observed of this.#applications.values()) {
      observed.end?.();
      observed.end = undefined;
    }
  }

  #observe(application: Application): () => void {
    const { events, view, configuration } = application;
    const shorten = shortenPath(configuration.root);
    const add = (of: TracedCall['of'], call: ListenerCall): void => {
      const request = call.event instanceof MvcEvent ? call.event : currentRequest();
      if (request !== undefined) this.#recorders.get(request)?.addCall(of, call);
    };
    const ends = [
      events.observeCalls((call) => add('application', call)),
      view.events.observeCalls((call) => add('view', call)),
      application.wrapRequests((event, handle) => this.#handle(event, handle, shorten)),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #handle(
    event: MvcEvent,
    handle: () => MaybePromise<void>,
    shorten: (file: string) => string,
  ): MaybePromise<void> {
    const { path } = event.request;
    if (this.#open >= MAX_OPEN || !this.#mayRecord(path)) return handle();
    const recorder = new TraceRecorder(event, shorten);
    this.#recorders.set(event, recorder);
    this.#open++;
    let isClosed = false;
    let isHandled = false;
    // A response that is closed may still be handled, after its client has disconnected.
    const end = (): void => {
      if (isClosed && isHandled) this.#end(event, recorder, path);
    };
    event.outgoing.once('close', () => {
      isClosed = true;
      recorder.close();
      end();
    });
    const handled = (): void => {
      isHandled = true;
      end();
    };
    return asCurrentRequest(event, () => {
      let isPending = false;
      try {
        const result = handle();
        isPending = isThenable(result);
        return isPending ? Promise.resolve(result).finally(handled) : result;
      } finally {
        if (!isPending) handled();
      }
    });
  }

  #end(event: MvcEvent, recorder: TraceRecorder, path: string): void {
    this.#open--;
    const trace = recorder.trace();
    const isKept = this.#recording?.keeps(path, trace.user) === true || this.#always;
    if (isKept && this.onTrace === undefined) this.#store.add(trace);
    else if (isKept) this.onTrace?.(trace);
    this.#recorders.delete(event);
    if (this.#recording?.isOver === true) this.stop();
    else this.#update();
  }

  #mayRecord(path: string): boolean {
    const recording = this.#recording?.isOver === false ? this.#recording : undefined;
    const isIgnored = [...this.#ignored].some((one) => hasPathPrefix(path, one));
    // A recording that names an ignored path wants it.
    if (recording?.mayRecord(path) === true && (!isIgnored || recording.state.path !== null)) return true;
    return this.#always && !isIgnored;
  }
}
