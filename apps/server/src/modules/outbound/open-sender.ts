import type { Context } from '../../context/context.ts'
import { createTargetPolicy } from '../../kernel/target-policy.ts'
import { createHostResolver } from './resolve-host.ts'
import { createSender, type Sender } from './send-request.ts'

/**
 * A sender by the rules of this service on where anything may be sent.
 *
 * @param program what receivers are told as the name of the program, before its version
 */
export function openSender({ config, clock, version }: Context, program: string): Sender {
  return createSender({
    policy: createTargetPolicy(config.outboundNetworks),
    resolve: createHostResolver(config.outboundNetworks !== undefined),
    clock,
    userAgent: `${program}/${version}`,
  })
}
