import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { ConnectionProblemError } from '../drivers/connection/connection-problem-error.ts'
import { hostOf } from '../drivers/wire/knock.ts'
import { printerAddress } from '../drivers/wire/printer-http.ts'

const LOOKUP_MS = 5_000

/** Networks in which printers stand: this machine, private and link-local networks, and what private networks across sites use. */
const local = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  local.addSubnet(network, prefix, 'ipv4')
}
local.addAddress('::1', 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

/** Rented machines find secrets of their own here; no printer ever stood at these. */
const secrets = new BlockList()
secrets.addAddress('169.254.169.254', 'ipv4')
secrets.addAddress('169.254.170.2', 'ipv4')
secrets.addAddress('fd00:ec2::254', 'ipv6')

/** True when a hub looks at this IP address because a person asked it to. */
export function isLocalAddress(ip: string): boolean {
  const plain = ip.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4'
  if (isIP(plain) === 0) return false
  return local.check(plain, family) && !secrets.check(plain, family)
}

interface TypedAddress {
  /** The IP address that was looked at, so that a name cannot mean another one a moment later. */
  ip: string
  /** As typed; undefined when only a host was. */
  port: number | undefined
  /** As typed, for people. */
  host: string
}

/**
 * Answers what a person typed, as an IP address that may be looked at. Rejects with a `ConnectionProblemError` `address_invalid`,
 * `unreachable` for a name that no one knows, or `address_not_allowed` when any address of the name is not local.
 */
export async function resolveTyped(
  connection: Record<string, unknown>,
  { allowsPublic }: { allowsPublic: boolean },
): Promise<TypedAddress> {
  let base: URL
  try {
    // A port that no default can be taken for shows whether one was typed.
    base = printerAddress(connection, 1)
  } catch (cause) {
    throw new ConnectionProblemError('address_invalid', {}, { cause })
  }
  const host = hostOf(base)
  if (host === '' || String(connection.address ?? '').trim() === '') throw new ConnectionProblemError('address_invalid')
  const addresses = await addressesOf(host)
  if (!allowsPublic && !addresses.every(isLocalAddress)) throw new ConnectionProblemError('address_not_allowed')
  const [ip] = addresses
  if (ip === undefined) throw new ConnectionProblemError('unreachable')
  const port = base.port === '' ? (base.protocol === 'https:' ? 443 : 80) : Number(base.port)
  return { ip, host, port: port === 1 ? undefined : port }
}

async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host.replace(/%.*$/, '')) !== 0) return [host]
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('the name service does not answer')), LOOKUP_MS)
  try {
    const found = await Promise.race([lookup(host, { all: true }), late.promise])
    return found.map(({ address }) => address)
  } catch (cause) {
    const words = { message: `The name ${host} is known to no one in this network.`.slice(0, 300) }
    throw new ConnectionProblemError('unreachable', words, { cause })
  } finally {
    clearTimeout(timer)
  }
}
