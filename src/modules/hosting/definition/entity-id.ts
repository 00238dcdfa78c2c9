/** What identifies an entity: a route parameter, or several by name. Texts, as in the URL. */
export type EntityId = string | Readonly<Record<string, string>>;
