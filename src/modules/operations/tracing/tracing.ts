import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Span, Tracer, TracerProvider } from '@opentelemetry/api';
import {
  isThenable,
  MvcEvent,
  priorities,
  Problem,
  TraceContext,
  type Application,
  type ListenerDecorator,
  type MaybePromise,
} from '../../../framework';
import type { StatementMessage } from '../../database';
import type {} from '../../mvc-auth';
import { observeStatements } from '../statements';
import type { OpenTelemetryApi } from './opentelemetry';
import {
  methodName,
  requestAttributes,
  responseAttributes,
  statementAttributes,
  statementName,
} from './span-attributes';

/** The name of the instrumentation scope. */
const SCOPE = 'apidesc-platform';
/** How long a collector that is out of reach delays the end of the service, in milliseconds. */
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Creates spans for the requests of an application: a server span for each request, with children for authentication,
 * the handler and the statements of databases. The span is active in all listeners and in the handler.
 */
export class Tracing {
  readonly #api: OpenTelemetryApi;
  readonly #tracer: Tracer;
  /**
   * Marks the requests of this application: the difference between the time of their span and `performance.now()`. Keys of
   * OpenTelemetry with one description are equal, so that an application that ends would record those of its successor.
   */
  readonly #own = Symbol(SCOPE);

  constructor(api: OpenTelemetryApi) {
    this.#api = api;
    this.#tracer = api.trace.getTracer(SCOPE);
  }

  attach(application: Application): void {
    const { events, baseUrl, lifecycles } = application;
    application.wrapRequests((event, handle) => this.#traceRequest(event, handle, baseUrl));
    events.decorate(this.#decorator());
    events.attach(
      'shutdown',
      observeStatements((statement) => this.#addStatement(statement)),
    );
    // Not at `shutdown`, which an application that is only built for a preview has too: the admin would wait for it.
    lifecycles.push({ name: 'tracing', target: { onStop: () => this.#flush() } });
  }

  /** SDKs send spans in batches: the process could end before the last one. */
  async #flush(): Promise<void> {
    const registered: TracerProvider & { getDelegate?(): TracerProvider } =
      this.#api.trace.getTracerProvider();
    // A proxy of another copy of the API is of another class.
    const provider: TracerProvider & { forceFlush?(): Promise<void> } =
      registered.getDelegate?.() ?? registered;
    const flushed = provider.forceFlush?.().catch(() => undefined);
    await Promise.race([flushed, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  #traceRequest(event: MvcEvent, handle: () => MaybePromise<void>, base: string): MaybePromise<void> {
    const { context, SpanKind } = this.#api;
    const parent = this.#parentOf(event);
    // When it arrived: it may have waited in the queue.
    const offset = clockOffset();
    const startTime = offset + event.startedAt;
    const span = this.#tracer.startSpan(
      methodName(event.request.method),
      { kind: SpanKind.SERVER, attributes: requestAttributes(event), startTime },
      parent,
    );
    this.#setTrace(event, span);
    event.outgoing.once('close', () => this.#endRequest(event, span, startTime, base));
    return context.with(this.#within(parent, span, offset), handle);
  }

  /** The context of a span. @param offset of its time */
  #within(parent: Context, span: Span, offset: number): Context {
    return this.#api.trace.setSpan(parent, span).setValue(this.#own, offset);
  }

  /** The caller as the registered propagator sees it, or by W3C Trace Context if there is none. */
  #parentOf({ request, trace: own }: MvcEvent): Context {
    const { propagation, trace, TraceFlags, createTraceState, ROOT_CONTEXT } = this.#api;
    const extracted = propagation.extract(ROOT_CONTEXT, request.message.headers);
    const { traceId, parentId, isSampled, state } = own;
    if (parentId === undefined || trace.getSpanContext(extracted) !== undefined) return extracted;
    return trace.setSpanContext(extracted, {
      traceId,
      spanId: parentId,
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
      ...(state === undefined ? {} : { traceState: createTraceState(state) }),
    });
  }

  /** Logs and outgoing requests have the ids of the span. */
  #setTrace(event: MvcEvent, span: Span): void {
    const { isSpanContextValid, TraceFlags } = this.#api;
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    if (!isSpanContextValid(span.spanContext())) return;
    const { trace } = event;
    event.trace = new TraceContext({
      traceId,
      spanId,
      parentId: trace.traceId === traceId ? trace.parentId : undefined,
      isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
      state: traceState?.serialize() ?? trace.state,
    });
  }

  #endRequest(event: MvcEvent, span: Span, startTime: number, base: string): void {
    const attributes = responseAttributes(event, base);
    const route = attributes['http.route'];
    if (typeof route === 'string') span.updateName(`${methodName(event.request.method)} ${route}`);
    span.setAttributes(attributes);
    // A 4xx is not an error of the server (Semantic Conventions for HTTP spans).
    if (attributes['error.type'] !== undefined) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    span.end(startTime + (performance.now() - event.startedAt));
  }

  /** Creates spans for authentication and for the handler. Other listeners are not wrapped. */
  #decorator(): ListenerDecorator {
    return (name, { priority }, listener) => {
      if (name === 'route' && priority === priorities.route.authentication)
        return (event) =>
          event instanceof MvcEvent && event.guard !== undefined
            ? this.#inSpan('authentication', () => listener(event))
            : listener(event);
      if (name === 'dispatch' && priority === priorities.dispatch.handler)
        return (event) =>
          event instanceof MvcEvent
            ? this.#inSpan(event.endpoint?.name ?? 'handler', () => listener(event))
            : listener(event);
      return listener;
    };
  }

  #inSpan(name: string, act: () => unknown): unknown {
    const { context } = this.#api;
    const span = this.#tracer.startSpan(name);
    const settle = (result: unknown): unknown =>
      result instanceof Error ? this.#record(span, result) : result;
    const fail = (error: unknown): never => {
      throw this.#record(span, error);
    };
    return context.with(this.#within(context.active(), span, clockOffset()), () => {
      let isPending = false;
      try {
        const result = act();
        isPending = isThenable(result);
        if (!isPending) return settle(result);
        return Promise.resolve(result)
          .then(settle, fail)
          .finally(() => span.end());
      } catch (error) {
        return fail(error);
      } finally {
        if (!isPending) span.end();
      }
    });
  }

  /** Records an unexpected error, or the code of a problem, that was thrown or returned. @returns the error */
  #record(span: Span, error: unknown): unknown {
    const isExpected = error instanceof Problem && error.status < 500;
    if (error instanceof Problem) span.setAttribute('error.type', error.code ?? String(error.status));
    else if (error instanceof Error) span.recordException(error);
    if (!isExpected) span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    return error;
  }

  /** The statement is published in the context of what executed it. */
  #addStatement(statement: StatementMessage): void {
    const { context, SpanKind, SpanStatusCode } = this.#api;
    // Those outside of requests, such as migrations, and of another application in this process are not of interest.
    const offset = context.active().getValue(this.#own);
    if (typeof offset !== 'number') return;
    const { started, duration, error } = statement;
    // By the clock of its parent, so that it does not start before: that may have been set since the process started.
    const startTime = offset + started;
    const span = this.#tracer.startSpan(statementName(statement), {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: statementAttributes(statement),
    });
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(startTime + duration);
  }
}

/** The time at `performance.now()` 0, by a clock of whole milliseconds that may have been set since then. */
function clockOffset(): number {
  return Date.now() - performance.now();
}
