import { isViewModelClass, type Services } from '../../../../framework';

/** Returns the container names of view model classes in alphabetical order. */
export async function viewModelNames(services: Services): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of services.names) {
    if (await isViewModel(services, name)) names.push(name);
  }
  return names;
}

/** View model classes are bound as constants: a service that cannot be created is not one. */
async function isViewModel(services: Services, name: string): Promise<boolean> {
  try {
    return isViewModelClass(await services.get<unknown>(name));
  } catch {
    return false;
  }
}
