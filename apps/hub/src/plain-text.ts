import { isIPv4 } from 'node:net'

/** Lets a hub talk to its service without encryption. */
export const plainTextSetting = 'PRINTYARD_HUB_PLAIN_TEXT'

/**
 * True when what goes to this address can be read on the way: by any machine on the network between, with the token in it. An address of
 * the machine itself has no way between.
 */
export function isPlainTextBeyondMachine(serviceUrl: string): boolean {
  const { protocol, hostname } = new URL(serviceUrl)
  if (protocol === 'https:') return false
  const name = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isLoopback = name === 'localhost' || name.endsWith('.localhost') || name === '::1'
  return !isLoopback && !(isIPv4(name) && name.startsWith('127.'))
}

/** Answers what to do about it, for people. */
export function plainTextProblem(serviceUrl: string): string {
  return (
    `${serviceUrl} is not encrypted: the token of the hub and print files could be read on the network. ` +
    `Use the https address of the service, or set ${plainTextSetting}=on if you trust every device between`
  )
}
