import type { ApiKey } from '../../lib/api/api-routes.ts'

/** Whether the service still takes the key. */
export function keyState(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  nowMs: number,
): 'works' | 'ended' | 'revoked' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= nowMs ? 'ended' : 'works'
}
