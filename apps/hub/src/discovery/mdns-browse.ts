import { Bonjour, type Browser, type Service } from 'bonjour-service'
import { textIn } from '../drivers/wire/wire-values.ts'
import { describeError, type Log } from '../util/log.ts'
import { isLocalAddress } from './address-rules.ts'
import type { Finder, OnSighting, Sighting } from './sighting.ts'

/** What is looked for, under `_TYPE._tcp.local`. The firmware of Prusa printers announces plain `http`. */
const types = ['octoprint', 'moonraker', 'prusalink', 'http'] as const

/** Where each family listens by itself. */
const ownPort = { octoprint: 80, moonraker: 7125, prusalink: 80 } as const

/** How the multicast socket is opened, as the library takes it; left out, in all networks of this machine. */
export type MdnsOptions = Record<string, unknown>

/** Hears print servers announce themselves by mDNS. */
export function createMdnsBrowser(onSighting: OnSighting, log: Log, options: MdnsOptions = {}): Finder {
  let bonjour: Bonjour | undefined
  let browsers: Browser[] = []

  const note = (service: Service) => {
    const sighting = readService(service)
    if (sighting) onSighting(sighting)
  }
  /** Each time anew: the library tells of a service only once, and keeps all that it ever heard of. */
  const search = () => {
    for (const browser of browsers.splice(0)) browser.stop()
    const asking = bonjour
    if (!asking) return
    browsers = types.map((type) => {
      const browser = asking.find({ type, protocol: 'tcp' }, note)
      browser.on('srv-update', note)
      browser.on('txt-update', note)
      return browser
    })
  }

  return {
    async start() {
      if (bonjour) return
      const opened = new Bonjour(options as ConstructorParameters<typeof Bonjour>[0], (error: Error) =>
        log.warn('an mDNS question failed', { problem: describeError(error) }),
      )
      bonjour = opened
      // The library declares its socket as anything.
      const socket = (opened as unknown as { server: { mdns: NodeJS.EventEmitter } }).server.mdns
      await new Promise<void>((resolve, reject) => {
        socket.once('ready', resolve)
        socket.once('error', reject)
      })
      // A network that comes and goes is none of our trouble; without this the process would end.
      socket.on('error', (error) => log.warn('mDNS cannot be heard', { problem: describeError(error) }))
    },
    search,
    async stop() {
      for (const browser of browsers.splice(0)) browser.stop()
      const open = bonjour
      bonjour = undefined
      if (open) await new Promise<void>((resolve) => open.destroy(() => resolve()))
    },
  }
}

/** What an announced service says; undefined when it is no print server of ours. */
export function readService(
  service: Pick<Service, 'name' | 'type' | 'port' | 'addresses' | 'referer' | 'txt'>,
): Sighting | undefined {
  const name = textIn(service.name, 120) ?? ''
  const type = familyOf(service.type, name)
  const address = addressOf(service)
  if (type === undefined || address === undefined) return undefined
  const model = textIn(service.txt?.model, 120)
  const version = textIn(service.txt?.version, 40)
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

/** IPv4 before IPv6, and what it says of itself before where it was heard from. */
function addressOf({ addresses = [], referer }: Pick<Service, 'addresses' | 'referer'>): string | undefined {
  const known = [...addresses, ...(referer ? [referer.address] : [])].filter(isLocalAddress)
  return known.find((address) => address.includes('.')) ?? known.find((address) => !/^fe80:/i.test(address))
}
