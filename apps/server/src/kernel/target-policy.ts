import ipaddr from 'ipaddr.js'
import { readNetworks } from './trusted-proxies.ts'

/** What may be sent to addresses that users enter. */
export interface TargetPolicy {
  /**
   * Answers why nothing is sent to a URL; undefined when its form allows it. A name must still be resolved, and what it resolves to asked
   * for by `findAddressProblem`.
   */
  findUrlProblem(url: string): string | undefined
  /**
   * Answers why no connection is made to an IP address; undefined when one may be. Without TLS only to networks that the operator
   * allows.
   */
  findAddressProblem(address: string, isEncrypted: boolean): string | undefined
}

const webPorts = [80, 443]

/** Below are ports of other services, such as mail, that must not be talked to in the name of a farm. */
const firstFreePort = 1024

/** Private, loopback, link-local (cloud metadata) and other special addresses are refused unless one of these networks holds them. */
export function createTargetPolicy(allowedNetworks = ''): TargetPolicy {
  const allowed = readNetworks(allowedNetworks).map(parseNetwork)
  const isAllowed = (address: Address) =>
    allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

  function findAddressProblem(text: string, isEncrypted: boolean): string | undefined {
    if (!ipaddr.isValid(text)) return `${text} is not an IP address`
    // An IPv4 address that is written as IPv6 is the IPv4 address.
    const address = ipaddr.process(text)
    if (isAllowed(address)) return undefined
    if (!isPublic(address)) return `${text} is in a network that is not public`
    if (!isEncrypted) return 'public addresses need https://'
    return undefined
  }

  return {
    findAddressProblem,
    findUrlProblem(text) {
      const url = URL.parse(text)
      if (!url || !['https:', 'http:'].includes(url.protocol)) return 'must be a URL that begins with https://'
      if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
      if (url.hash !== '') return 'must not contain a fragment'
      const port = Number(url.port)
      if (url.port !== '' && port < firstFreePort && !webPorts.includes(port)) {
        return `must not name port ${url.port}: 80, 443 and those from ${firstFreePort} on are possible`
      }
      const isEncrypted = url.protocol === 'https:'
      if (!isEncrypted && allowed.length === 0) return 'must begin with https://'
      const literal = literalAddress(url.hostname)
      return literal === undefined ? undefined : findAddressProblem(literal, isEncrypted)
    },
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses of IPv6 that are given out to networks: the old way to write an IPv4 address, `::7f00:1`, counts as unicast, too. */
const givenOut: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(givenOut)
}

/** The address in the host of a URL; undefined for a name. `URL` has written `0x7f000001` and `2130706433` as `127.0.0.1` already. */
function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return ipaddr.isValid(bare) ? bare : undefined
}

function parseNetwork(text: string): [Address, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
