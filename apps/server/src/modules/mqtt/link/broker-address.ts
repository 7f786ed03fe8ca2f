import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { TargetPolicy } from '../../../kernel/target-policy.ts'
import type { ResolveHost } from '../../outbound/resolve-host.ts'

const ports = { 'mqtt:': 1883, 'mqtts:': 8883 } as const

/** Below are ports of other services, such as mail, that must not be talked to in the name of a farm. */
const firstFreePort = 1024

/** A broker as it was entered. */
export interface BrokerAddress {
  host: string
  port: number
  isEncrypted: boolean
}

/** @throws Error whose message says what is wrong, for people */
export function readBrokerUrl(text: string): BrokerAddress {
  const url = URL.parse(text)
  if (!url || !(url.protocol === 'mqtt:' || url.protocol === 'mqtts:')) {
    throw new Error('must be an address that begins with mqtts:// or mqtt://')
  }
  if (url.hostname === '') throw new Error('must name a host')
  if (url.username !== '' || url.password !== '') throw new Error('must not contain a user name or password')
  if ((url.pathname !== '' && url.pathname !== '/') || url.search !== '' || url.hash !== '') {
    throw new Error('must end with the host and its port')
  }
  const port = url.port === '' ? ports[url.protocol] : Number(url.port)
  if (port < firstFreePort) throw new Error(`must not name port ${port}: those from ${firstFreePort} on are possible`)
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, isEncrypted: url.protocol === 'mqtts:' }
}

/**
 * The IP address to connect to, by the rules of this service on where anything may be sent.
 *
 * @throws Error whose message says what is wrong, for people
 */
export async function findBrokerAddress(
  { host, isEncrypted }: BrokerAddress,
  policy: Pick<TargetPolicy, 'findAddressProblem'>,
  resolve: ResolveHost,
): Promise<string> {
  const family = isIP(host)
  const found: LookupAddress[] =
    family === 0
      ? await resolve(host).catch((error: unknown) => {
          throw new Error(`The name ${host} cannot be resolved.`, { cause: error })
        })
      : [{ address: host, family }]
  const problems = found.map(({ address }) => policy.findAddressProblem(address, isEncrypted))
  const usable = found.find((_, index) => problems[index] === undefined)
  if (usable) return usable.address
  const words = (problems[0] ?? `The name ${host} has no address.`).replace('https://', 'mqtts://')
  throw new Error(
    `${words}${words.includes('not public') ? '; the operator allows private networks by PRINTYARD_OUTBOUND_NETWORKS' : ''}`,
  )
}
