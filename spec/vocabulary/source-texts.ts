import ts from 'typescript';

/** A comment, a string or a piece of a template literal. */
export interface SourceText {
  readonly text: string;
  /** The offset in the source. */
  readonly start: number;
}

const TEXTS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.SingleLineCommentTrivia,
  ts.SyntaxKind.MultiLineCommentTrivia,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
]);

/** Tokens after which a slash divides; after any other one it begins a regular expression. */
const OPERANDS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.Identifier,
  ts.SyntaxKind.PrivateIdentifier,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.BigIntLiteral,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.CloseParenToken,
  ts.SyntaxKind.CloseBracketToken,
  ts.SyntaxKind.CloseBraceToken,
  ts.SyntaxKind.ThisKeyword,
  ts.SyntaxKind.SuperKeyword,
]);

/** Returns the comments and literals of a TypeScript or JavaScript source, in order. */
export function sourceTexts(source: string): readonly SourceText[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, source);
  const found: SourceText[] = [];
  // For each open `${`, the number of braces that are open inside it.
  const braces: number[] = [];
  let previous = ts.SyntaxKind.Unknown;
  for (;;) {
    let kind = scanner.scan();
    if (kind === ts.SyntaxKind.EndOfFileToken) return found;
    if (kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken) {
      if (!OPERANDS.has(previous)) kind = scanner.reScanSlashToken();
    } else if (kind === ts.SyntaxKind.CloseBraceToken && braces.at(-1) === 0) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === ts.SyntaxKind.TemplateTail) braces.pop();
    } else if (kind === ts.SyntaxKind.TemplateHead) braces.push(0);
    else if (braces.length > 0) braces.push((braces.pop() ?? 0) + depthOf(kind));
    if (TEXTS.has(kind)) found.push({ text: scanner.getTokenText(), start: scanner.getTokenStart() });
    if (!isTrivia(kind)) previous = kind;
  }
}

function depthOf(kind: ts.SyntaxKind): number {
  if (kind === ts.SyntaxKind.OpenBraceToken) return 1;
  return kind === ts.SyntaxKind.CloseBraceToken ? -1 : 0;
}

function isTrivia(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstTriviaToken && kind <= ts.SyntaxKind.LastTriviaToken;
}
