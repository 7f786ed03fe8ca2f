import { isIPv6 } from 'node:net'

/** Who counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one client has to itself. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  const bare = address.split('%')[0] as string
  if (!isIPv6(bare)) return address
  const [head = '', tail] = bare.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    // A dotted ending stands for two groups.
    const length = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: 8 - groups.length - length }, () => '0'), ...after)
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
