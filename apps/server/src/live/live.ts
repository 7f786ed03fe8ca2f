import { type HubFences, ownFences } from './fences.ts'
import { ConnectedHubs } from './hubs.ts'
import { noPeers, type Peers } from './peers.ts'
import { PendingAnswers } from './pending.ts'
import { LivePrinters } from './printers.ts'
import { Stills } from './stills.ts'
import { TemperatureHistory } from './temperatures.ts'

/** Known state of hubs and printers at this moment. Kept in memory: hubs tell it again when they connect. */
export interface Live {
  printers: LivePrinters
  hubs: ConnectedHubs
  /** Which of several connections of one hub counts. */
  fences: HubFences
  /** The other processes, which hold the other hubs. */
  peers: Peers
  pending: PendingAnswers
  stills: Stills
  temperatures: TemperatureHistory
}

export function createLive(fences: HubFences = ownFences, peers: Peers = noPeers): Live {
  const printers = new LivePrinters()
  const pending = new PendingAnswers()
  const stills = new Stills(pending)
  const temperatures = new TemperatureHistory(printers)
  const hubs = new ConnectedHubs({ printers, pending, stills, peers })
  return { printers, pending, stills, temperatures, fences, peers, hubs }
}
