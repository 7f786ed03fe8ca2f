import { BlockList, isIP, isIPv6 } from 'node:net'

/** The addresses and networks of a setting, with commas between them. */
export function readNetworks(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((network) => network.trim())
}

/** Tells whether an address is one of these, or in one of these networks; an IPv4 address also in the form that IPv6 has for it. */
export function makeNetworkTest(text: string): (address: string) => boolean {
  const list = new BlockList()
  for (const network of readNetworks(text)) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Answers what is wrong with a list of addresses and networks; undefined when nothing is. */
export function findNetworkProblem(text: string): string | undefined {
  const wrong = readNetworks(text).find((network) => !isNetwork(network))
  return wrong === undefined ? undefined : `"${wrong}" is neither an address nor a network such as 10.0.0.0/8`
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
