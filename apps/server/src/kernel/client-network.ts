import { isIPv6 } from 'node:net'

/** Answers who counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one client has to itself. */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  return firstGroups(address, 4) ?? address
}

/** The /48 network of an IPv6 address, all of which one customer of a provider may have; undefined for any other. */
export function clientSite(address: string): string | undefined {
  const isMapped = /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)
  return isMapped ? undefined : firstGroups(address, 3)
}

/** The first groups of an IPv6 address, each in one spelling; undefined for what is none. */
function firstGroups(address: string, count: number): string | undefined {
  const bare = address.split('%')[0] as string
  if (!isIPv6(bare)) return undefined
  const [head = '', tail] = bare.toLowerCase().split('::')
  const groups = head.split(':').filter(Boolean)
  if (tail !== undefined) {
    const after = tail.split(':').filter(Boolean)
    // A dotted ending stands for two groups.
    const length = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array.from({ length: 8 - groups.length - length }, () => '0'), ...after)
  }
  return groups
    .slice(0, count)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
