import { isIP } from 'node:net'

/** The addresses and networks of a setting, with commas between them. */
export function readNetworks(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((network) => network.trim())
}

/** What is wrong with a list of addresses and networks; undefined when nothing is. */
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
