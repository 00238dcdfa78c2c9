/** The code of the documentation console, which the build bundles. */
declare module '*/documentation/octets.js' {
  export function octetsOf(text: string): string;
}
declare module '*/documentation/digest.js' {
  export interface Challenge {
    /** In lower case. */
    readonly scheme: string;
    readonly parameters: Readonly<Record<string, string | undefined>>;
  }
  export interface Signature {
    readonly user: string;
    readonly password: string;
    readonly method: string;
    readonly uri: string;
    readonly count: number;
    readonly cnonce: string;
    readonly body: Uint8Array | undefined;
  }
  export function parseChallenges(value: string): Challenge[];
  export function strongestChallenge(challenges: readonly Challenge[]): Challenge | undefined;
  export function protectionOf(challenge: Challenge): 'auth' | 'auth-int' | undefined;
  export function authorizationFor(challenge: Challenge, signature: Signature): string;
}
