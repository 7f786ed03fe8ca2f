import { promises as dns, type LookupAddress } from 'node:dns'

/** Finds the addresses of a name. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>

/** Time of one question to one name server, and how often it is asked. */
const question = { timeout: 2_000, tries: 2 }

/**
 * Resolves names by DNS, without the few threads that the system's own resolver takes: names of a name server that does not answer would
 * hold up all others.
 *
 * @param isLocal whether names of the local network are asked for of the system too: its hosts file, and mDNS
 */
export function createHostResolver(isLocal: boolean): ResolveHost {
  const resolver = new dns.Resolver(question)
  return async (hostname) => {
    // Never a name of the DNS (RFC 6761): not even asked for.
    if (/(^|\.)invalid\.?$/i.test(hostname))
      throw Object.assign(new Error(`${hostname} does not exist`), { code: 'ENOTFOUND' })
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
    if (found.length > 0) return found
    if (isLocal) return dns.lookup(hostname, { all: true })
    throw four.status === 'rejected' ? four.reason : new Error(`${hostname} has no address`)
  }
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'rejected' ? [] : result.value.map((address) => ({ address, family }))
}
