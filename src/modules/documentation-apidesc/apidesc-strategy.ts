import { ViewStrategy, type JsonRenderer, type ViewModel } from '../../framework';
import { ApidescModel } from './apidesc-model';

export const APIDESC_TYPE = 'application/vnd.apidesc+json';

/** Recognizes the vendor format's model, which the standard JSON renderer renders. */
export class ApidescStrategy extends ViewStrategy {
  constructor(renderer: JsonRenderer) {
    super(renderer, APIDESC_TYPE);
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof ApidescModel;
  }
}
