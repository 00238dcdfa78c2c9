import { Problem, type ViewModelOptions } from '../../framework';
import { JsonModel, type HypermediaShape } from '../content-negotiation';
import { toHal } from './hal';
import { halSchema } from './hal-schema';

/** Renders HAL (`application/hal+json`), except for problems. */
export class HalJsonModel extends JsonModel {
  static override readonly cacheable = true;

  static describe(
    schema: Readonly<Record<string, unknown>>,
    shape: HypermediaShape,
  ): Readonly<Record<string, unknown>> {
    return halSchema(schema, shape);
  }

  constructor(content: unknown, options: ViewModelOptions = {}) {
    super(content, { mediaType: 'application/hal+json', ...options });
  }

  override serialize(): unknown {
    return this.content instanceof Problem ? super.serialize() : toHal(this.content);
  }
}
