import { bambuModelName } from '../drivers/bambu/bambu-models.ts'
import { textIn } from '../drivers/wire/wire-values.ts'
import { isLocalAddress } from './address-rules.ts'
import type { Sighting } from './sighting.ts'

const DEVICE = 'urn:bambulab-com:device:3dprinter:1'

/** What asks all printers of the network to announce themselves. Many only do so by themselves, every few seconds. */
export const bambuSearch = [
  'M-SEARCH * HTTP/1.1',
  'HOST: 239.255.255.250:1990',
  'MAN: "ssdp:discover"',
  'MX: 3',
  `ST: ${DEVICE}`,
  '',
  '',
].join('\r\n')

/** Answers what an announcement says; undefined when it is none. `from` is the address that it came from. */
export function readBambuAnnouncement(text: string, from: string): Sighting | undefined {
  const headers = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z0-9.-]+):\s*(.*)$/.exec(line) ?? []
    if (name) headers.set(name.toLowerCase(), (value ?? '').trim())
  }
  if (headers.get('nt') !== DEVICE && headers.get('st') !== DEVICE) return undefined
  // A search by another program is sent to the same port.
  if (/^M-SEARCH/i.test(text)) return undefined
  const serial = textIn(headers.get('usn'), 64)?.toUpperCase() ?? ''
  if (!/^[0-9A-Z]{6,32}$/.test(serial)) return undefined
  // Relays between networks announce printers that are elsewhere.
  const location = headers.get('location') ?? ''
  const address = isLocalAddress(location) ? location : from
  const code = textIn(headers.get('devmodel.bambu.com'), 40)
  const way = headers.get('devconnect.bambu.com') === 'lan' ? 'in LAN mode' : 'connected to its cloud'
  const firmware = textIn(headers.get('devversion.bambu.com'), 40)
  return {
    connection_type: 'bambu',
    address,
    port: null,
    serial,
    name: textIn(headers.get('devname.bambu.com'), 120),
    model: code === null ? null : bambuModelName(code),
    evidence: `It announces itself as a Bambu Lab printer ${way}${firmware === null ? '' : `, firmware ${firmware}`}.`,
  }
}
