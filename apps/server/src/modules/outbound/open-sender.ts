import type { Context } from '../../context/context.ts'
import { createTargetPolicy } from '../../kernel/target-policy.ts'
import { createHostResolver } from './resolve-host.ts'
import { createSender, type Sender } from './send-request.ts'

/**
 * A sender by the rules of this service on where anything may be sent.
 *
 * @param program what receivers are told as the name of the program, before its version
 * @param networks the private ones that it may send to
 */
export function openSender({ clock, version }: Context, program: string, networks: string | undefined): Sender {
  return createSender({
    policy: createTargetPolicy(networks),
    resolve: createHostResolver(networks !== undefined),
    clock,
    userAgent: `${program}/${version}`,
  })
}
