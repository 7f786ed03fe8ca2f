import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Whom the provider has before it; what it says of them. */
export interface PersonThere {
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
}

/** How it answers: as it should, or with an ID token that is not good. */
type ProviderBehaviour =
  | 'honest'
  | 'other_key'
  | 'unlisted_key'
  | 'other_nonce'
  | 'other_audience'
  | 'expired'
  | 'unsigned'

export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  behaviour: ProviderBehaviour
  /** True: it says the address at `userinfo` only. */
  keepsAddressOutOfToken: boolean
  /** When people showed it who they are, in ms since 1970, as it says in `auth_time`; it says nothing without. */
  authenticatedAt: number | undefined
  /** Another issuer that it calls itself. */
  calledIssuer: string | undefined
  /** True: it answers nothing but 503. */
  isDown: boolean
  /** Where it takes codes. */
  tokenPath: string
  /** How often it was asked for its keys, and about itself. */
  asked: { keys: number; itself: number }
  /** Has it sign by another key from now on, which takes the place of the former one in its list. */
  changeKey(): void
  /** What a person does there: follows the link, signs in. Answers where the browser is sent back. */
  signIn(authorizationUrl: string, person: PersonThere): URL
  close(): Promise<void>
}

interface Granted {
  challenge: string
  nonce: string
  redirectUri: string
  person: PersonThere
}

/** An OpenID Connect provider on the loopback: discovery, keys, tokens (authorization code with PKCE, RS256), userinfo. */
export async function startTestProvider(): Promise<TestProvider> {
  const clientId = 'printyard'
  const clientSecret = 'secret of the client'
  let own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let keyId = 'key 1'
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const granted = new Map<string, Granted>()
  const people = new Map<string, PersonThere>()

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const provider: TestProvider = {
    issuer,
    clientId,
    clientSecret,
    behaviour: 'honest',
    keepsAddressOutOfToken: false,
    authenticatedAt: undefined,
    calledIssuer: undefined,
    isDown: false,
    tokenPath: '/token',
    asked: { keys: 0, itself: 0 },
    changeKey() {
      own = generateKeyPairSync('rsa', { modulusLength: 2048 })
      keyId = `${keyId} and another`
    },
    signIn(authorizationUrl, person) {
      const asked = new URL(authorizationUrl).searchParams
      if (asked.get('client_id') !== clientId || asked.get('code_challenge_method') !== 'S256') {
        throw new Error(`not a request that this provider takes: ${authorizationUrl}`)
      }
      const code = randomBytes(16).toString('hex')
      const redirectUri = asked.get('redirect_uri') ?? ''
      granted.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        nonce: asked.get('nonce') ?? '',
        redirectUri,
        person,
      })
      const back = new URL(redirectUri)
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      return back
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const path = request.url?.split('?')[0]
    if (provider.isDown) return send(503, {})
    if (path === '/.well-known/openid-configuration') {
      provider.asked.itself += 1
      return send(200, {
        issuer: provider.calledIssuer ?? issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}${provider.tokenPath}`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      })
    }
    if (path === '/keys') {
      provider.asked.keys += 1
      return send(200, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }] })
    }
    if (path === '/userinfo') {
      const person = people.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
      return person ? send(200, person) : send(401, {})
    }
    if (path !== provider.tokenPath) return send(404, {})

    const credentials = Buffer.from(request.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
    // RFC 6749, 2.3.1: both halves are form-encoded first.
    const expected = [clientId, clientSecret].map((half) => new URLSearchParams({ x: half }).toString().slice(2))
    if (credentials !== expected.join(':')) return send(401, { error: 'invalid_client' })
    const form = new URLSearchParams(await readBody(request))
    const grant = granted.get(form.get('code') ?? '')
    granted.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || challenge !== grant.challenge || form.get('redirect_uri') !== grant.redirectUri) {
      return send(400, { error: 'invalid_grant' })
    }
    const accessToken = randomBytes(16).toString('hex')
    people.set(accessToken, grant.person)
    send(200, { access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idTokenFor(grant) })
  }

  function idTokenFor({ nonce, person }: Granted): string {
    const { behaviour } = provider
    const now = Math.floor(Date.now() / 1000) - (behaviour === 'expired' ? 7200 : 0)
    const { sub, ...rest } = person
    const claims = {
      iss: issuer,
      sub,
      aud: behaviour === 'other_audience' ? 'another service' : clientId,
      iat: now,
      exp: now + 300,
      nonce: behaviour === 'other_nonce' ? 'another' : nonce,
      ...(provider.authenticatedAt !== undefined && { auth_time: Math.floor(provider.authenticatedAt / 1000) }),
      ...(!provider.keepsAddressOutOfToken && rest),
    }
    const signingKey = behaviour === 'other_key' || behaviour === 'unlisted_key' ? other : own
    const header =
      behaviour === 'unsigned'
        ? { alg: 'none' }
        : { alg: 'RS256', kid: behaviour === 'unlisted_key' ? 'unlisted' : keyId }
    return jwt(header, claims, signingKey.privateKey)
  }
  return provider
}

function jwt(header: { alg: string }, claims: object, key: KeyObject): string {
  const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${content}.${header.alg === 'none' ? '' : sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
