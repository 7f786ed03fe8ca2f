import type { ResponsePacket } from 'multicast-dns'

/** A record of an answer. */
export type Answer = NonNullable<ResponsePacket['answers']>[number]

/** What is announced under `_TYPE._tcp.local`. */
export interface AnnouncedService {
  /** As people named it. */
  name: string
  type: string
  port: number
  /** Addresses at which it says that it listens; empty when it does not say. */
  addresses: readonly string[]
  /** What it tells beside that, by names in lower case. */
  txt: Readonly<Record<string, string>>
}

/** One instance of a service, as far as its records have come. */
interface Instance {
  type: string
  port?: number
  host?: string
  txt?: Record<string, string>
}

/** As many of each as are kept: a network that announces more is hostile. */
const MOST_INSTANCES = 500
const MOST_HOSTS = 500
const MOST_ADDRESSES = 16
const MOST_TEXTS = 64

/**
 * Puts the records of mDNS answers together, which come in any order and in several packets, and in every answer again. A
 * goodbye is left out: a printer that has left is forgotten with time.
 */
export class MdnsServices {
  readonly #types: readonly string[]
  readonly #instances = new Map<string, Instance>()
  readonly #addresses = new Map<string, Set<string>>()

  constructor(types: readonly string[]) {
    this.#types = types
  }

  /** The services that these records tell something of and that are known well enough to connect to. */
  add(records: readonly Answer[]): AnnouncedService[] {
    const touched = new Set<string>()
    for (const record of records) {
      const instance = this.#addOne(record)
      if (instance !== undefined) touched.add(instance)
    }
    return [...touched].flatMap((name) => this.#serviceOf(name) ?? [])
  }

  /** Instances that were named and of which nothing else has come. */
  get unresolved(): string[] {
    return [...this.#instances].flatMap(([name, { port }]) => (port === undefined ? [name] : []))
  }

  /** Adds one record; answers the instance that it speaks of, if it is one of these types. */
  #addOne(record: Answer): string | undefined {
    switch (record.type) {
      case 'PTR':
        return this.#instanceOf(record.data) && record.data
      case 'SRV': {
        const instance = this.#instanceOf(record.name)
        if (!instance) return undefined
        Object.assign(instance, { port: record.data.port, host: record.data.target.toLowerCase() })
        return record.name
      }
      case 'TXT': {
        const instance = this.#instanceOf(record.name)
        if (!instance) return undefined
        instance.txt = readTexts(record.data)
        return record.name
      }
      case 'A':
      case 'AAAA':
        this.#recordAddress(record.name.toLowerCase(), record.data)
        return undefined
      default:
        return undefined
    }
  }

  /** The instance of this full name; undefined when it is of another type. */
  #instanceOf(fullName: string): Instance | undefined {
    const known = this.#instances.get(fullName)
    if (known) return known
    const type = this.#types.find((each) => fullName.toLowerCase().endsWith(`.${suffixOf(each)}`))
    if (type === undefined) return undefined
    const instance: Instance = { type }
    keep(this.#instances, fullName, instance, MOST_INSTANCES)
    return instance
  }

  #recordAddress(host: string, address: string): void {
    const known = this.#addresses.get(host) ?? new Set()
    if (known.size < MOST_ADDRESSES) known.add(address)
    keep(this.#addresses, host, known, MOST_HOSTS)
  }

  #serviceOf(fullName: string): AnnouncedService | undefined {
    const { type, port, host, txt = {} } = this.#instances.get(fullName) ?? {}
    if (type === undefined || port === undefined) return undefined
    const name = fullName.slice(0, -suffixOf(type).length - 1)
    return { name, type, port, txt, addresses: [...((host && this.#addresses.get(host)) || [])] }
  }
}

/** Answers what the instances of a type are asked for by. */
export function suffixOf(type: string): string {
  return `_${type}._tcp.local`
}

function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.set(key, value)
  for (const oldest of map.keys()) if (map.size > most) map.delete(oldest)
}

function readTexts(data: string | Buffer | (string | Buffer)[]): Record<string, string> {
  const texts = (Array.isArray(data) ? data : [data]).slice(0, MOST_TEXTS).map((text) => text.toString())
  return Object.fromEntries(
    texts.flatMap((text) => {
      const end = text.indexOf('=')
      return end > 0 ? [[text.slice(0, end).toLowerCase(), text.slice(end + 1)]] : []
    }),
  )
}
