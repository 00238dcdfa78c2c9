type Lower =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type Letter = Lower | Uppercase<Lower> | Digit | '_';

/** The name at the start of a text. */
type NameAt<Text extends string, Name extends string = ''> = Text extends `${infer Sign}${infer Rest}`
  ? Sign extends Letter
    ? NameAt<Rest, `${Name}${Sign}`>
    : Name
  : Name;

type NamesIn<Route extends string> = Route extends `${string}:${infer Rest}`
  ? NameAt<Rest> | NamesIn<Rest>
  : never;

/** A route up to its first optional part. */
type RequiredPart<Route extends string> = Route extends `${infer Head}[${string}` ? Head : Route;

/**
 * The decoded parameters of a route, typed from its text: those in brackets are optional.
 *
 * @example
 * RouteParameters<'/authors/:author_id/books[/:book_id]'> // { author_id: string; book_id?: string }
 */
export type RouteParameters<Route extends string> = string extends Route
  ? Readonly<Record<string, string>>
  : Readonly<Record<NamesIn<RequiredPart<Route>>, string>> &
      Readonly<Partial<Record<Exclude<NamesIn<Route>, NamesIn<RequiredPart<Route>>>, string>>>;
