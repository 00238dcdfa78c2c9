import { ContainerModule } from 'inversify';
import path from 'node:path';
import { folderWarning, type BootstrapEvent, type ConfigObject, type Module } from '../../framework';
import { JsonModel } from './json-model';
import { NegotiationListeners } from './negotiation-listeners';
import { Selectors } from './selectors';
import { NEGOTIATION_KEY, negotiationDefaults, negotiationSettings } from './settings';

export { contentTypeOf } from './content-type';
export { HypermediaCollection, HypermediaEntity, type Link, type Links, type Paging } from './hypermedia';
export { LinkedEntities, type CopyWithLinks } from './linked-entities';
export { JsonModel, showsHypermedia, type HypermediaModelClass, type HypermediaShape } from './json-model';
export { fieldContents, fieldTexts, partHead, type FieldContent } from './multipart/field-contents';
export type { UploadLimits } from './multipart/limits';
export { fileField, isFileField, UploadedFile, type FileFieldOptions } from './multipart/uploaded-file';
export { acceptsForms } from './negotiation-listeners';
export { toPlain } from './to-plain';
export type { NegotiationPolicy, Uploads } from './policy';
export type { SentResult } from './sent-result';
export { formatOf, Selector, type AmbiguousType, type ResponseFormat } from './selector';
export { Selectors } from './selectors';
export { mediaTypeSchema, NEGOTIATION_KEY, uploadLimits } from './settings';
export { decodeUtf8, parseFormText, MULTIPART, parseJsonField, type BodyLimits } from './parse-body';
export { assertSerializable } from './assert-serializable';

/** Selectors, request bodies, and the choice of the response format. */
export default class ContentNegotiationModule implements Module {
  readonly name = 'content-negotiation';
  readonly defaults: ConfigObject = negotiationDefaults;
  readonly schemas = { [NEGOTIATION_KEY]: negotiationSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind('JsonModel').toConstantValue(JsonModel);
  });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, events, warnings } = application;
    const selectors = await Selectors.open(configuration, services);
    services.set(Selectors, selectors);
    warnings.push(...selectors.ambiguityWarnings());
    const { folder } = configuration.section(NEGOTIATION_KEY, negotiationSettings).uploads;
    // The folder of the system is not written without a form with files.
    const warning = folder === undefined ? undefined : await uploadFolderWarning(folder, configuration.root);
    if (warning !== undefined) warnings.push(warning);
    events.attachGroup(new NegotiationListeners());
  }
}

function uploadFolderWarning(folder: string, root: string): Promise<string | undefined> {
  const name = `${NEGOTIATION_KEY}.uploads.folder: ${folder}`;
  return folderWarning(path.resolve(root, folder), name, 'Forms with files are refused with 507.');
}
