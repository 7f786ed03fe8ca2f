import { isIP, isIPv4 } from 'node:net'
import { hostname, type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** A network as a certificate names it. */
export interface NetworkBytes {
  address: Uint8Array
  mask: Uint8Array
}

/** Addresses that belong to no one on the internet: of this machine, of local networks, and of Tailscale. */
const localNetworks = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

/** What a local authority may vouch for, besides the names that it is made for. */
export const permittedNetworks: readonly NetworkBytes[] = localNetworks.map((network) => {
  const [address, bits] = ipaddr.parseCIDR(network)
  const bytes = address.toByteArray()
  const mask = bytes.map((_, index) => (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))) & 0xff)
  return { address: Uint8Array.from(bytes), mask: Uint8Array.from(mask) }
})

/** Endings that no registry of the internet gives away. */
const localEndings = ['local', 'lan', 'internal', 'home.arpa', 'localhost']

/** The DNS names that an authority for these hosts may vouch for: theirs, and all of local networks. */
export function permittedNames(hosts: readonly string[]): string[] {
  const others = hosts.filter((host) => isIP(host) === 0 && !isLocalName(host))
  return [...localEndings, ...new Set(others)]
}

/** True when an address is one of a local network. */
export function isLocalAddress(host: string): boolean {
  if (isIP(host) === 0) return false
  const address = ipaddr.parse(host)
  return localNetworks.some((network) => {
    const range = ipaddr.parseCIDR(network)
    return range[0].kind() === address.kind() && address.match(range)
  })
}

function isLocalName(name: string): boolean {
  return localEndings.some((ending) => name === ending || name.endsWith(`.${ending}`))
}

/** A DNS name or an IP address as a certificate has it, in lower case; undefined when it is neither. */
export function readHost(text: string): string | undefined {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0) return isIPv4(host) ? host : ipaddr.parse(host).toString()
  const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
  return host.length <= 253 && new RegExp(`^${label}(\\.${label})*$`).test(host) ? host : undefined
}

interface Machine {
  hostname: string
  interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>
}

/** The names and addresses by which this machine is reached in its networks, the name of mDNS first. */
export function namesOfMachine(machine: Machine = { hostname: hostname(), interfaces: networkInterfaces() }): string[] {
  const name = readHost(machine.hostname)
  const short = name?.split('.')[0]
  const names = name === undefined || short === undefined || isIP(name) !== 0 ? [] : [`${short}.local`, short, name]
  const addresses = Object.values(machine.interfaces).flatMap((list) => list ?? [])
  const reached = addresses
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => readHost(address))
    // Those of the internet change with the provider, and the authority does not vouch for them.
    .filter((address) => address !== undefined && isLocalAddress(address))
    .sort((a, b) => isIP(a ?? '') - isIP(b ?? ''))
  return [...new Set([...names, 'localhost', ...reached.flatMap((address) => address ?? []), '127.0.0.1', '::1'])]
}
