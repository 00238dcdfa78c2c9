import { isViewModelClass, type Services } from '../../../../framework';

/** The names in the container that stand for classes of view models, in alphabetical order. */
export async function viewModelNames(services: Services): Promise<readonly string[]> {
  const names: string[] = [];
  for (const name of services.names) {
    if (await isViewModel(services, name)) names.push(name);
  }
  return names;
}

/** A service that cannot be made is no view model: those are bound as they are. */
async function isViewModel(services: Services, name: string): Promise<boolean> {
  try {
    return isViewModelClass(await services.get<unknown>(name));
  } catch {
    return false;
  }
}
