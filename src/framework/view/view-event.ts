import { Event } from '../events/event';
import type { Response } from '../http/response';
import type { Renderer } from './renderer';
import type { ViewModel } from './view-model';

/** The event of both View events. */
export class ViewEvent extends Event {
  readonly model: ViewModel;
  readonly response: Response;
  /** Undefined until a listener of `renderer` selects one. */
  renderer: Renderer | undefined;
  /**
   * The strategy that has selected the renderer, for messages.
   * @internal
   */
  strategy: object | undefined = undefined;
  /** The rendered content; listeners of `response` may replace it. */
  content: string | Buffer = '';

  constructor(model: ViewModel, response: Response) {
    super();
    this.model = model;
    this.response = response;
  }
}

/** The View's events: `renderer` selects the renderer, `response` fills the response. */
export interface ViewEvents {
  renderer: ViewEvent;
  response: ViewEvent;
}
