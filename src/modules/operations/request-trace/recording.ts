/** What is recorded on demand. */
export interface RecordingOptions {
  /** How many requests, from 1 to 1,000. */
  readonly requests: number;
  /** For how long, from 1 to 60. */
  readonly minutes: number;
  /** Only paths that begin with it. */
  readonly path?: string | undefined;
  /** Only requests of a user. */
  readonly user?: string | undefined;
}

/** The state of recording. */
export interface RecordingState {
  /** Whether requests are recorded now. */
  readonly recording: boolean;
  /** Whether all requests are recorded: `platform-operations.request_trace.enabled`. */
  readonly always: boolean;
  /** How many more requests will be recorded on demand. */
  readonly remaining: number;
  /** When recording ends, in ISO 8601; null if it is not recording on demand. */
  readonly until: string | null;
  readonly path: string | null;
  readonly user: string | null;
}

const MINUTE_MS = 60_000;

/** Decides which requests are recorded: all, or those of a recording on demand. */
export class Recording {
  readonly #options: RecordingOptions;
  /** `performance.now()`: the time of day may change. */
  readonly #ends: number;
  readonly #until: string;
  #remaining: number;

  constructor(options: RecordingOptions) {
    this.#options = options;
    this.#remaining = options.requests;
    this.#ends = performance.now() + options.minutes * MINUTE_MS;
    this.#until = new Date(Date.now() + options.minutes * MINUTE_MS).toISOString();
  }

  get isOver(): boolean {
    return this.#remaining <= 0 || performance.now() >= this.#ends;
  }

  /** In milliseconds. */
  get timeLeft(): number {
    return Math.max(0, this.#ends - performance.now());
  }

  /** What is left to record. */
  get rest(): RecordingOptions {
    return { ...this.#options, requests: this.#remaining, minutes: this.timeLeft / MINUTE_MS };
  }

  /** Whether a request may be recorded; its user is not known before it was authenticated. */
  mayRecord(path: string): boolean {
    return path.startsWith(this.#options.path ?? '');
  }

  /** Whether the trace of a request is kept, which counts it. */
  keeps(path: string, user: string | null): boolean {
    const { user: wanted } = this.#options;
    if (this.isOver || !this.mayRecord(path) || (wanted !== undefined && wanted !== user)) return false;
    this.#remaining--;
    return true;
  }

  get state(): Pick<RecordingState, 'remaining' | 'until' | 'path' | 'user'> {
    const { path = null, user = null } = this.#options;
    return { remaining: this.#remaining, until: this.#until, path, user };
  }
}
