import { AppError } from '../../../kernel/errors.ts'
import type { Peers } from '../../../live/peers.ts'

/** The error for a hub that is connected to another process which cannot be reached: nothing was sent to it. */
export function elsewhereUnreachable(): AppError {
  const why = 'the hub is connected to another process of the service, which does not answer over Redis'
  return new AppError('SERVICE_UNAVAILABLE', { why }, { retryAfterSeconds: 5 })
}

/** The error for a hub that is not known to be connected. While no other process is heard of, it may be connected there. */
export function hubAway({ peers }: { peers: Pick<Peers, 'isShared' | 'isCurrent'> }): AppError {
  if (peers.isShared && !peers.isCurrent) {
    const why =
      'Redis does not answer, or did not until a moment ago, so it is not known whether the hub is connected to another process of the service'
    return new AppError('SERVICE_UNAVAILABLE', { why }, { retryAfterSeconds: 5 })
  }
  return new AppError('HUB_OFFLINE', {}, { retryAfterSeconds: 10 })
}
