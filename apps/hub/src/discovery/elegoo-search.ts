import type { Socket } from 'node:dgram'
import { parseFrame } from '../drivers/wire/text-socket.ts'
import { memberOf, numberIn, textIn } from '../drivers/wire/wire-values.ts'
import type { Finder, OnSighting, Sighting } from './sighting.ts'
import { broadcastAddresses, closeUdp, openUdp } from './udp.ts'

/** What each language asks by, and where it is heard. */
interface ElegooPorts {
  sdcp: number
  mqtt: number
}

interface ElegooSearchOptions {
  bindTo: string
  ports: ElegooPorts
  /** Answers who is asked by a search. */
  everybody(): string[]
}

export const elegooDefaults: ElegooSearchOptions = {
  bindTo: '0.0.0.0',
  ports: { sdcp: 3000, mqtt: 52_700 },
  everybody: broadcastAddresses,
}

const SDCP_QUESTION = 'M99999'
const MQTT_QUESTION = JSON.stringify({ id: 0, method: 7000 })

interface ElegooSearch extends Finder {
  /** Asks one address instead of everybody. */
  ask(address: string): void
}

/** Asks Elegoo printers who they are: by broadcast, or one of them. */
export function createElegooSearch(onSighting: OnSighting, options = elegooDefaults): ElegooSearch {
  let socket: Socket | undefined
  const ask = (address: string) => {
    socket?.send(SDCP_QUESTION, options.ports.sdcp, address, () => undefined)
    socket?.send(MQTT_QUESTION, options.ports.mqtt, address, () => undefined)
  }
  return {
    async start() {
      socket = await openUdp({ address: options.bindTo, port: 0 }, (text, from) => {
        const sighting = readElegooAnswer(text, from.address)
        if (sighting) onSighting(sighting)
      })
      socket.setBroadcast(true)
    },
    search() {
      for (const address of options.everybody()) ask(address)
    },
    ask,
    async stop() {
      const open = socket
      socket = undefined
      if (open) await closeUdp(open)
    },
  }
}

/** Answers what an answer says; undefined when it is none of these printers'. */
function readElegooAnswer(text: string, from: string): Sighting | undefined {
  const frame = parseFrame(text)
  const data = memberOf(frame, 'Data')
  const mainboard = textIn(memberOf(data, 'MainboardID'), 128)
  if (mainboard !== null) {
    const model = textIn(memberOf(data, 'MachineName'), 120)
    return {
      connection_type: 'elegoo',
      address: from,
      port: null,
      serial: mainboard,
      name: textIn(memberOf(data, 'Name'), 120),
      model,
      evidence: `It answers a search as ${model ?? 'an Elegoo printer'}, ${firmwareWords(memberOf(data, 'FirmwareVersion'))}.`,
    }
  }
  const result = memberOf(frame, 'result') ?? frame
  const serial = textIn(memberOf(result, 'sn'), 64)
  if (serial === null || numberIn(memberOf(frame, 'method')) === null) return undefined
  const model = textIn(memberOf(result, 'machine_model'), 120)
  const isLan = numberIn(memberOf(result, 'lan_status')) === 1
  return {
    connection_type: 'elegoo',
    address: from,
    port: null,
    serial,
    name: textIn(memberOf(result, 'host_name'), 120),
    model,
    evidence: `It answers a search as ${model ?? 'an Elegoo printer'}, LAN-only mode ${isLan ? 'on' : 'off'}.`,
  }
}

function firmwareWords(version: unknown): string {
  const text = textIn(version, 40)
  return text === null ? 'firmware unknown' : `firmware ${text}`
}
