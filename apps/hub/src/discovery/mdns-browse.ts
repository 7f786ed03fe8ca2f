import type { RemoteInfo } from 'node:dgram'
import createSocket, { type MulticastDNS, type Options, type ResponsePacket } from 'multicast-dns'
import { textIn } from '../drivers/wire/wire-values.ts'
import { describeError, type Log } from '../util/log.ts'
import { isLocalAddress } from './address-rules.ts'
import { type AnnouncedService, MdnsServices, suffixOf } from './mdns-services.ts'
import type { Finder, OnSighting, Sighting } from './sighting.ts'

/** What is looked for, under `_TYPE._tcp.local`. The firmware of Prusa printers announces plain `http`. */
const types = ['octoprint', 'moonraker', 'prusalink', 'http'] as const

/** Port at which each family listens by itself. */
const ownPort = { octoprint: 80, moonraker: 7125, prusalink: 80 } as const

/** Options of the multicast socket; left out, in all networks of this machine. */
export type MdnsOptions = Options

/** As many are asked about by name at once. */
const MOST_ASKED = 20

/** Finds print servers that announce themselves by mDNS. */
export function createMdnsBrowser(onSighting: OnSighting, log: Log, options: MdnsOptions = {}): Finder {
  return new MdnsBrowser(onSighting, log, options)
}

class MdnsBrowser implements Finder {
  readonly #onSighting: OnSighting
  readonly #log: Log
  readonly #options: MdnsOptions
  #socket: MulticastDNS | undefined
  #services = new MdnsServices(types)

  constructor(onSighting: OnSighting, log: Log, options: MdnsOptions) {
    this.#onSighting = onSighting
    this.#log = log
    this.#options = options
  }

  async start(): Promise<void> {
    if (this.#socket) return
    const socket = createSocket(this.#options)
    this.#socket = socket
    this.#services = new MdnsServices(types)
    await new Promise<void>((resolve, reject) => {
      socket.once('ready', resolve)
      socket.once('error', reject)
    })
    // A network that comes and goes is none of our trouble; without this the process would end.
    socket.on('error', (error) => this.#log.warn('mDNS cannot be used', { problem: describeError(error) }))
    socket.on('response', (packet, from) => this.#take(packet, from))
  }

  search(): void {
    this.#ask(types.map((type) => ({ name: suffixOf(type), type: 'PTR' })))
  }

  async stop(): Promise<void> {
    const socket = this.#socket
    this.#socket = undefined
    if (socket) await new Promise<void>((resolve) => socket.destroy(resolve))
  }

  #take({ answers = [], additionals = [] }: ResponsePacket, from: RemoteInfo): void {
    for (const service of this.#services.add([...answers, ...additionals])) {
      const sighting = readService(service, from.address)
      if (sighting) this.#onSighting(sighting)
    }
    // Not every answer brings along what its names lead to.
    const names = this.#services.unresolved.slice(-MOST_ASKED)
    const isNamed = answers.some((answer) => answer.type === 'PTR' && names.includes(answer.data))
    if (isNamed)
      this.#ask(
        names.flatMap((name) => [
          { name, type: 'SRV' as const },
          { name, type: 'TXT' as const },
        ]),
      )
  }

  #ask(questions: { name: string; type: 'PTR' | 'SRV' | 'TXT' }[]): void {
    this.#socket?.query(questions, (error) => {
      if (error) this.#log.warn('an mDNS question failed', { problem: describeError(error) })
    })
  }
}

/** Answers what an announced service says; undefined when it is no print server of ours. `from`: where the announcement came from. */
function readService(service: AnnouncedService, from: string): Sighting | undefined {
  const name = textIn(service.name, 120) ?? ''
  const type = familyOf(service.type, name)
  const address = addressOf([...service.addresses, from])
  if (type === undefined || address === undefined) return undefined
  const model = textIn(service.txt.model, 120)
  const version = textIn(service.txt.version, 40)
  return {
    connection_type: type,
    address,
    port: service.port === ownPort[type] ? null : service.port,
    serial: null,
    name: name.replace(/^(OctoPrint instance|Moonraker) "?|"$/g, '') || null,
    model,
    evidence: `It announces _${service.type}._tcp as “${name.slice(0, 80)}”${version === null ? '' : `, version ${version}`}.`,
  }
}

function familyOf(type: string, name: string): keyof typeof ownPort | undefined {
  if (/prusalink|prusa-?connect/i.test(name) || type === 'prusalink') return 'prusalink'
  return type === 'octoprint' || type === 'moonraker' ? type : undefined
}

/** IPv4 before IPv6, and what it says of itself before where the announcement came from. */
function addressOf(addresses: readonly string[]): string | undefined {
  const known = addresses.filter(isLocalAddress)
  return known.find((address) => address.includes('.')) ?? known.find((address) => !/^fe80:/i.test(address))
}
