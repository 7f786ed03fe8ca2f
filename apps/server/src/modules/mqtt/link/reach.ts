import type { Context } from '../../../context/context.ts'
import { createTargetPolicy, type TargetPolicy } from '../../../kernel/target-policy.ts'
import { createHostResolver, type ResolveHost } from '../../outbound/resolve-host.ts'

/** Answers where brokers may be: as for all addresses that users enter. */
export function reachOf({ memory, config }: Pick<Context, 'memory' | 'config'>) {
  return memory.hold(makeReach, config.outboundNetworks)
}

function makeReach(networks: string | undefined): { policy: TargetPolicy; resolve: ResolveHost } {
  return { policy: createTargetPolicy(networks), resolve: createHostResolver(networks !== undefined) }
}
