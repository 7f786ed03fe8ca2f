import type { Clock } from '../../../../kernel/clock.ts'
import type { Answered, OutboundRequest, Sender } from '../../../outbound/send-request.ts'
import { ShopProblem } from './shop-problem.ts'

/** A page of orders with all that plugins add to each. */
const reads = { mostBytes: 16 * 1024 * 1024, withinMs: 30_000 }

/** Characters of an answer that people are shown. */
const shownAnswer = 200

/** Calls of one shop. */
export interface ShopClient {
  /** Answers what came as JSON. @throws ShopProblem */
  call(request: ShopRequest): Promise<unknown>
  /** The time by our clock, for what is signed with it. */
  now: () => Date
  /** The time by the clock of the shop, as its last answer said; undefined before one did. */
  theirNow(): Date | undefined
  /** What the shop lets us in by where that changes: tokens that a person has given. */
  readonly tokens: TokenKeeper
  /** What a connector keeps of a shop for as long as the process lives: a token that it asked for. */
  readonly kept: Map<string, string>
}

/** Tokens of OAuth 2. */
export interface ShopTokens {
  access_token: string
  /** Counts once: renewing gives another. */
  refresh_token: string
  /** Of the access token, ISO 8601. */
  expires_at: string
}

/** Keeps the tokens of a shop, in all processes the same ones. */
export interface TokenKeeper {
  find(): Promise<ShopTokens | undefined>
  /**
   * Renews tokens, never twice at once: where another process has done so meanwhile, `ask` is not called.
   *
   * @param used the tokens that are to be renewed
   * @throws ShopProblem `busy` while another process renews them
   */
  renew(used: ShopTokens, ask: (used: ShopTokens) => Promise<ShopTokens>): Promise<ShopTokens>
}

/** Of shops that are let in by what was entered alone. */
const noTokens: TokenKeeper = {
  find: async () => undefined,
  renew: async () => {
    throw new ShopProblem('credentials', 'The shop has no tokens.')
  },
}

type ShopRequest = Pick<OutboundRequest, 'url' | 'method' | 'headers'> & { body?: object }

/**
 * Calls a shop by the rules of this service on where anything may be sent.
 *
 * @param options.secrets what must not stand in what people are shown of an answer
 */
export function createShopClient(
  sender: Sender,
  clock: Clock,
  {
    secrets,
    kept,
    tokens = noTokens,
    signal,
  }: {
    secrets: readonly string[]
    kept: Map<string, string>
    tokens?: TokenKeeper
    signal?: AbortSignal | undefined
  },
): ShopClient {
  let theirNow: Date | undefined
  return {
    now: () => clock.now(),
    theirNow: () => theirNow,
    kept,
    tokens,
    async call({ url, method = 'GET', headers, body }) {
      const answered = await sender.send(
        {
          url,
          method,
          headers: { accept: 'application/json', ...headers },
          ...(body && { body: JSON.stringify(body) }),
          reads,
          isOnce: method !== 'GET',
        },
        signal,
      )
      theirNow = answered.theirNow ?? theirNow
      if (answered.failure !== null) throw problemOf(answered, secrets)
      if (answered.isCut) throw new ShopProblem('unlike', 'The answer broke off, or is too long.')
      try {
        return JSON.parse(answered.text) as unknown
      } catch {
        throw new ShopProblem('unlike', `The address answers, but not as a shop: ${shown(answered, secrets)}`)
      }
    },
  }
}

function problemOf(answered: Answered, secrets: readonly string[]): ShopProblem {
  const { status_code: status, retryAfterMs } = answered
  const words = status === null ? shown(answered, secrets) : `${status} ${shown(answered, secrets)}`.trim()
  if (status === 429 || (status === 503 && retryAfterMs > 0)) return new ShopProblem('busy', words, { retryAfterMs })
  if (status === 401 || status === 403) return new ShopProblem('credentials', words)
  if (status === 404 || status === 410) return new ShopProblem('missing', words)
  if (status !== null && status >= 400 && status < 500 && status !== 408) return new ShopProblem('refused', words)
  return new ShopProblem('away', words, { retryAfterMs })
}

/** The words of the shop where it has some, without markup and secrets. */
function shown({ answer, text }: Answered, secrets: readonly string[]): string {
  const message = messageIn(text) ?? answer ?? ''
  const bare = secrets
    .filter((secret) => secret.length >= 6)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), message)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return bare.slice(0, shownAnswer).toWellFormed()
}

function messageIn(text: string): string | undefined {
  try {
    const { message, error_description, error } = JSON.parse(text) as Record<string, unknown>
    return [message, error_description, error].find((words) => typeof words === 'string')
  } catch {
    return undefined
  }
}
