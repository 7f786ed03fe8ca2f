import type { PrinterSettings } from '@printyard/protocol/messages'

/** One time that something on the network looked like a printer. */
export interface Sighting {
  connection_type: PrinterSettings['connection_type']
  /** IP address in the local network, never a name. */
  address: string
  /** Null when it is the port that the family has by itself. */
  port: number | null
  serial: string | null
  name: string | null
  model: string | null
  /** Reason why we think so: one sentence for people. */
  evidence: string
}

/** Listener that is told of sightings. */
export type OnSighting = (sighting: Sighting) => void

/** A way of finding printers. `start` and `stop` are a pair that can be repeated. */
export interface Finder {
  /** Rejects when the sockets cannot be had; the other ways go on without this one. */
  start(): Promise<void>
  /** Asks the network once more; answers come as sightings. */
  search(): void
  stop(): Promise<void>
}
