/** Further folders are forgotten, so that a program that reads many stays small. */
const MAX_FOLDERS = 1_000;

/** The sessions of a client, by the folders that they are valid for (RFC 7617, 2.2). */
export class Sessions<T> {
  readonly #byFolder = new Map<string, T>();

  /** Returns the session of the folder of a URL, or of the next folder above it. */
  find(url: URL): T | undefined {
    for (let folder: string | undefined = folderOf(url); folder !== undefined; folder = above(folder)) {
      const session = this.#byFolder.get(folder);
      if (session !== undefined) return session;
    }
    return undefined;
  }

  set(url: URL, session: T): void {
    if (this.#byFolder.size >= MAX_FOLDERS) this.#byFolder.clear();
    this.#byFolder.set(folderOf(url), session);
  }
}

/** `https://example.com/a/b?c` → `https://example.com/a/` */
function folderOf({ origin, pathname }: URL): string {
  return origin + pathname.slice(0, pathname.lastIndexOf('/') + 1);
}

/** `https://example.com/a/` → `https://example.com/`; undefined for the root. */
function above(folder: string): string | undefined {
  const end = folder.lastIndexOf('/', folder.length - 2);
  return folder[end - 1] === '/' ? undefined : folder.slice(0, end + 1);
}
