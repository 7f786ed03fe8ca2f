import type { Configuration, CustomFetch } from 'openid-client'
import type { Context } from '../../../context/context.ts'
import { OidcProblem } from './oidc-problem.ts'

/** Loaded when someone first signs in by a provider. */
const loadLibrary = () => import('openid-client')

/** Longest wait for one answer of the provider. */
const timeoutSeconds = 10

/** So long counts what the provider has said of itself: where it is asked, and which list of keys it has. */
const keptMs = 60 * 60_000
/** It is asked again after that time when it did not answer: what it said before counts meanwhile. */
const retryMs = 60_000

/** What must come back from the browser for a sign-in that was started to be ended. */
export interface StartedSignIn {
  state: string
  nonce: string
  verifier: string
  redirectUri: string
}

/** Person whom the provider says to be there. */
export interface ProvenPerson {
  issuer: string
  subject: string
  /** Undefined unless the provider has checked that the address is theirs. */
  verifiedEmail: string | undefined
  name: string
  /** Time when the person showed the provider who they are, in ms since 1970, if it says so. */
  authenticatedAt?: number | undefined
}

interface BeginOptions {
  /** The person is to show again who they are, whether or not the provider knows them already. */
  isAgain?: boolean
}

interface OidcProvider {
  /** Answers where to send the browser, and what to remember meanwhile. */
  begin(redirectUri: string, options?: BeginOptions): Promise<{ url: string; started: StartedSignIn }>
  /** Takes what the browser brought back from there. */
  end(callbackQuery: string, started: StartedSignIn): Promise<ProvenPerson>
}

interface ProviderContext extends Pick<Context, 'log' | 'clock'> {
  config: Pick<Context['config'], 'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret'>
}

/**
 * The configured sign-in provider; undefined without one. It is asked about itself when a person first signs in by it, and
 * again until it answered: the service starts and works without it. What it says counts for an hour.
 *
 * Its keys are kept by the library: for five minutes, and a token that names another one has the list read again, once a minute at most.
 */
export function makeOidcProvider({ config, log, clock }: ProviderContext): OidcProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: secret } = config
  if (issuer === undefined || clientId === undefined) return undefined
  let known: { provider: Configuration; untilMs: number } | undefined
  let asking: Promise<Configuration> | undefined

  const find = (): Promise<Configuration> => {
    if (known !== undefined && clock.now().getTime() < known.untilMs) return Promise.resolve(known.provider)
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  const ask = async (): Promise<Configuration> => {
    try {
      const provider = await discover(new URL(issuer), clientId, secret)
      known = { provider, untilMs: clock.now().getTime() + keptMs }
    } catch (error) {
      log.warn(
        { reason: reasonOf(error), issuer },
        'the sign-in provider cannot be reached, or does not say how it works',
      )
      if (known === undefined) throw new OidcProblem('oidc_unavailable', { cause: error })
      known.untilMs = clock.now().getTime() + retryMs
    }
    return known.provider
  }

  return {
    async begin(redirectUri, { isAgain = false } = {}) {
      const provider = await find()
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await loadLibrary()
      const started = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier(), redirectUri }
      const url = buildAuthorizationUrl(provider, {
        response_type: 'code',
        scope: 'openid email profile',
        redirect_uri: redirectUri,
        state: started.state,
        nonce: started.nonce,
        code_challenge: await calculatePKCECodeChallenge(started.verifier),
        code_challenge_method: 'S256',
        // With `max_age` the provider must also say when that was.
        ...(isAgain && { prompt: 'login', max_age: '0' }),
      })
      return { url: url.href, started }
    },

    async end(callbackQuery, started) {
      const provider = await find()
      const { authorizationCodeGrant, fetchUserInfo } = await loadLibrary()
      const back = new URL(started.redirectUri)
      back.search = callbackQuery
      try {
        const tokens = await authorizationCodeGrant(provider, back, {
          expectedState: started.state,
          expectedNonce: started.nonce,
          pkceCodeVerifier: started.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('the provider sent no ID token')
        // Some providers keep the address out of the ID token.
        const more =
          claims.email === undefined && provider.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(provider, tokens.access_token, claims.sub)
            : {}
        return readPerson({ ...more, ...claims })
      } catch (error) {
        log.warn({ reason: reasonOf(error), issuer }, 'a sign-in by the provider was refused')
        throw new OidcProblem('oidc_refused', { cause: error })
      }
    },
  }
}

async function discover(issuer: URL, clientId: string, secret: string | undefined): Promise<Configuration> {
  const library = await loadLibrary()
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, None } = library
  // The setting takes http:// for an issuer on this machine alone.
  const isInsecure = issuer.protocol === 'http:'
  const found = await library.discovery(issuer, clientId, undefined, None(), {
    timeout: timeoutSeconds,
    ...(isInsecure && { execute: [allowInsecureRequests] }),
  })
  const metadata = found.serverMetadata()
  const methods = metadata.token_endpoint_auth_methods_supported
  // Without a list it is the one that the specification names as the default.
  const isBasic = methods === undefined || methods.includes('client_secret_basic')
  const auth = secret === undefined ? None() : isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret)
  const provider = new library.Configuration(metadata, clientId, secret, auth)
  provider.timeout = timeoutSeconds
  if (isInsecure) allowInsecureRequests(provider)
  provider[library.customFetch] = fetchKeysOnce(metadata.jwks_uri)
  // The signature of the ID token too, not only the connection that it came by.
  library.enableNonRepudiationChecks(provider)
  return provider
}

/** The call that the library makes by itself; its type of options differs from that of `fetch` only in naming those that are left out. */
const plainFetch: CustomFetch = (url, options) => fetch(url, options as RequestInit)

/** The library reads the list of keys for each token that waits for it; those that wait at the same moment share one answer. */
function fetchKeysOnce(keysUrl: string | undefined): CustomFetch {
  let asking: Promise<{ body: ArrayBuffer; init: ResponseInit }> | undefined
  const ask = async (...request: Parameters<CustomFetch>) => {
    const answer = await plainFetch(...request)
    return { body: await answer.arrayBuffer(), init: { status: answer.status, headers: answer.headers } }
  }
  return async (url, options) => {
    if (url !== keysUrl) return plainFetch(url, options)
    asking ??= ask(url, options).finally(() => {
      asking = undefined
    })
    const { body, init } = await asking
    return new Response(body, init)
  }
}

/** Answers what the claims say, each of which may be of any type. */
function readPerson(claims: Record<string, unknown> & { iss: string; sub: string }): ProvenPerson {
  const { iss, sub, email, name, auth_time: authTime } = claims
  // Some providers send the boolean as text.
  const isVerified = claims.email_verified === true || claims.email_verified === 'true'
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: isVerified && typeof email === 'string' && email.includes('@') ? email : undefined,
    name: typeof name === 'string' ? name.trim().slice(0, 200) : '',
    ...(typeof authTime === 'number' && { authenticatedAt: authTime * 1000 }),
  }
}

/** The sentence and code alone: what caused an error may hold tokens, and what they say of a person. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? `${error.message} (${code})` : error.message
}
