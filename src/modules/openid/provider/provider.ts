import type { Configuration } from 'openid-client';
import { objectOf } from '../../../framework';
import { endpointIssue, hasValidDates, nameIssue, type Claims } from '../../mvc-auth';
import { personOf, type Person } from '../person';
import { OPENID_KEY, type OpenidSettings } from '../settings';
import { Discovery } from './discovery';
import { openidClient } from './openid-client';
import { SignInFailure, toSignInFailure } from './sign-in-failure';

/** The secrets of a sign-in, which the browser keeps sealed. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier (RFC 7636, 4.1). */
  readonly verifier: string;
}

/** The OpenID provider: authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636). */
export class OpenidProvider {
  readonly #settings: OpenidSettings;
  readonly #discovery: Discovery;

  constructor(settings: OpenidSettings, discovery = new Discovery(settings)) {
    this.#settings = settings;
    this.#discovery = discovery;
  }

  /**
   * Returns the URL of the provider that the browser is sent to.
   * @throws SignInFailure if the provider cannot be reached
   */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly secrets: SignInSecrets }> {
    const client = openidClient();
    const configuration = await this.#discovery.configuration();
    const secrets = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    try {
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: this.#settings.scopes.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: assertSafe(url, 'authorization_endpoint'), secrets };
    } catch (error) {
      throw toSignInFailure(error);
    }
  }

  /**
   * Exchanges the code of a callback for the user: verifies state, issuer (RFC 9207), signature, audience, nonce and
   * lifetime of the ID token.
   *
   * @param callback the redirect URI with the query of the callback
   * @throws SignInFailure
   */
  async finish(callback: URL, { state, nonce, verifier }: SignInSecrets): Promise<Person> {
    const configuration = await this.#discovery.configuration();
    try {
      const tokens = await openidClient().authorizationCodeGrant(configuration, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims !== undefined && !hasValidDates({ ...claims }))
        throw new SignInFailure('invalid_response', 'The ID token has a date that no date can have.');
      return await this.#person(configuration, {
        claims: claims === undefined ? {} : { ...claims },
        token: tokens.access_token,
        scope: tokens.scope,
      });
    } catch (error) {
      throw toSignInFailure(error);
    }
  }

  /**
   * Asks the UserInfo endpoint (5.3) for what the ID token does not contain; claims of the ID token take precedence.
   * @throws SignInFailure without a usable name
   */
  async #person(
    configuration: Configuration,
    response: { readonly claims: Claims; readonly token: string; readonly scope: string | undefined },
  ): Promise<Person> {
    const { claims, token, scope } = response;
    const known = personOf({ claims, scope }, this.#settings);
    if (known !== undefined && known.groups.length > 0) return known;
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await openidClient().fetchUserInfo(configuration, token, String(claims.sub));
    const all = { ...objectOf(more), ...claims };
    const person = personOf({ claims: all, scope }, this.#settings);
    if (person !== undefined) return person;
    const issue = nameIssue(all, { name: this.#settings.nameClaim }) ?? 'the claim "sub" is missing';
    throw new SignInFailure('invalid_response', `Of the user, ${issue}. See ${OPENID_KEY}.name_claim.`);
  }

  /** Returns where the user can sign out of the provider (RP-Initiated Logout 1.0, 2); undefined if it does not say. */
  async endSessionUrl(): Promise<string | undefined> {
    try {
      const configuration = await this.#discovery.configuration();
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
      return assertSafe(openidClient().buildEndSessionUrl(configuration), 'end_session_endpoint').href;
    } catch {
      // The local session has ended all the same.
      return undefined;
    }
  }
}

/** @throws SignInFailure for a URL that browsers must not be sent to, such as one without TLS */
function assertSafe(url: URL, endpoint: string): URL {
  const issue = endpointIssue(endpoint, url.href);
  if (issue !== undefined) throw new SignInFailure('invalid_response', issue);
  return url;
}
