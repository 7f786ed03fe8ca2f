import { createBucket } from '../../kernel/bucket.ts'
import { clientNetwork } from '../../kernel/client-network.ts'
import type { ApiKeyId, UserId } from '../../kernel/ids.ts'

/** Lines that one client network may cause, at once and in the long run; and all together. */
const perNetwork = { burst: 20, perSecond: 0.2 }
const together = { burst: 500, perSecond: 10 }

/** Networks that are told apart; beyond it the one that was refused first is forgotten. */
const mostNetworks = 10_000

/** A caller who was not let in. */
interface Refusal {
  status: number
  code: string
  address: string
  /** Where it is known whose key it is, also of one that was revoked. */
  apiKeyId?: ApiKeyId | undefined
  userId?: UserId | undefined
  route?: string | undefined
}

interface Log {
  info(fields: object, words: string): void
}

/**
 * Writes down who was refused, so that guessing and misuse show in the log, and no caller can fill it: of a network that is refused
 * again and again only some lines are written, and the next one says how many were left out.
 */
export function createRefusalLog(log: Log, nowMs: () => number = () => performance.now()) {
  const all = createBucket(together.burst, together.perSecond)
  const networks = new Map<string, { bucket: ReturnType<typeof createBucket>; leftOut: number }>()

  return function logRefusal({ status, code, address, apiKeyId, userId, route }: Refusal): void {
    const network = clientNetwork(address)
    const known = networks.get(network) ?? {
      bucket: createBucket(perNetwork.burst, perNetwork.perSecond),
      leftOut: 0,
    }
    if (!networks.has(network) && networks.size >= mostNetworks) {
      for (const oldest of networks.keys()) {
        networks.delete(oldest)
        break
      }
    }
    networks.set(network, known)
    const now = nowMs()
    if (!known.bucket.has(1, now) || !all.has(1, now)) {
      known.leftOut += 1
      return
    }
    known.bucket.take(1, now)
    all.take(1, now)
    const leftOut = known.leftOut
    known.leftOut = 0
    const fields = {
      status,
      code,
      address,
      ...(apiKeyId !== undefined && { api_key_id: apiKeyId }),
      ...(userId !== undefined && { user_id: userId }),
      ...(route !== undefined && { route }),
      ...(leftOut > 0 && { left_out: leftOut }),
    }
    log.info(fields, 'refused')
  }
}
