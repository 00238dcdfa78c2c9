import type { Application } from '../application';

/** Applications without further requests, which are disposed of after their last response. */
export class RetiringApplications {
  /** When each is disposed of. */
  readonly #disposals = new Map<Application, Promise<void>>();

  add(application: Application): void {
    const disposal = application.dispose().finally(() => this.#disposals.delete(application));
    this.#disposals.set(application, disposal);
  }

  /** The number of requests without a complete response, including those of the current application. */
  inFlightWith(current: Application | undefined): number {
    const others = [...this.#disposals.keys()].filter((one) => one !== current);
    return others.reduce((sum, one) => sum + one.inFlight, current?.inFlight ?? 0);
  }

  /** Resolves when all are disposed of. */
  async disposed(): Promise<void> {
    await Promise.all(this.#disposals.values());
  }
}
