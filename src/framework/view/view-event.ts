import { Event } from '../events/event';
import type { Response } from '../http/response';
import type { Renderer } from './renderer';
import type { ViewModel } from './view-model';

/** Shared by the listeners of the View's two events. */
export class ViewEvent extends Event {
  readonly model: ViewModel;
  readonly response: Response;
  /** Undefined until one was selected. */
  renderer: Renderer | undefined;
  /** What the renderer made; a listener of `response` may replace it. */
  content: string | Buffer = '';

  constructor(model: ViewModel, response: Response) {
    super();
    this.model = model;
    this.response = response;
  }
}

/** The View's events: renderer selection, and filling the response. */
export interface ViewEvents {
  renderer: ViewEvent;
  response: ViewEvent;
}
