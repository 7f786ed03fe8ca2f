import { createHash } from 'node:crypto'
import type { BambuModelName } from './bambu/bambu-report.ts'
import { startBambuSimulator } from './bambu/bambu-simulator.ts'
import { startCrealitySimulator } from './creality/creality-simulator.ts'
import { createVirtualPrinter } from './create-virtual-printer.ts'
import { seedOf } from './device/seeded-noise.ts'
import { startCc2Simulator } from './elegoo/cc2-simulator.ts'
import { startSdcpSimulator } from './elegoo/sdcp-simulator.ts'
import { startMoonrakerSimulator } from './moonraker/moonraker-simulator.ts'
import { startOctoPrintSimulator } from './octoprint/octoprint-simulator.ts'
import { planOfContent } from './plan-of-content.ts'
import { startPrusaLinkSimulator } from './prusalink/prusalink-simulator.ts'
import type { PrintPlan, VirtualPrinter } from './virtual-printer.ts'
import { type SimulatedCamera, startCameraServer } from './wire/camera-server.ts'

/** The families of printers whose own language a simulator speaks. */
export const simulatedFamilies = [
  'octoprint',
  'moonraker',
  'prusalink',
  'bambu',
  'elegoo',
  'elegoo-cc2',
  'creality',
] as const
export type SimulatedFamily = (typeof simulatedFamilies)[number]

interface SimulatedPrinterOptions {
  family: SimulatedFamily
  /** Counts the printers of a family, from 1. */
  number: number
  /** Simulated seconds for each real one. */
  speed?: number
  /** Serials, credentials and temperatures follow from it. */
  seed: number
  /** The first of its ports, see `portsPerPrinter`. 0 takes any free ones. */
  port: number
}

/** A simulated printer that answers on loopback. */
export interface SimulatedPrinter {
  family: SimulatedFamily
  /** What identifies the machine where its family has that. */
  serial: string | null
  /** What the service is told to add it, save the hub. */
  settings: { name: string; model: string; connection_type: string; connection: Record<string, unknown> }
  printer: VirtualPrinter
  close(): Promise<void>
}

/** One for the printer, one for files where its family has a service of their own, one for the camera. */
export const portsPerPrinter = 3

interface Front {
  connection: Record<string, unknown>
  close(): Promise<void>
}

interface FrontOptions {
  printer: VirtualPrinter
  serial: string
  /** Eight digits, as access codes are. */
  code: string
  /** 32 hex digits, as keys are. */
  key: string
  port: number
  planOf: (fileName: string, content: Buffer) => PrintPlan
}

interface Family {
  title: string
  model: string
  /** The model that stands in for one that we have no machine of. */
  machine?: string
  connectionType: string
  serialPrefix: string | null
  start(options: FrontOptions): Promise<Front>
}

const address = '127.0.0.1'
const bambuModel: BambuModelName = 'P1S'

const families: Record<SimulatedFamily, Family> = {
  octoprint: {
    title: 'OctoPrint',
    model: 'MK3S',
    connectionType: 'octoprint',
    serialPrefix: null,
    async start({ printer, key, port, planOf }) {
      return withCamera({ printer, port }, async (camera) => {
        const webcam = { snapshotUrl: `http://${address}:${camera.port}/?action=snapshot` }
        const front = await startOctoPrintSimulator({ printer, apiKey: key, webcam, port, planOf })
        return { connection: { address, port: front.port, api_key: key }, close: front.close }
      })
    },
  },
  moonraker: {
    title: 'Moonraker',
    model: 'Voron 2.4',
    connectionType: 'moonraker',
    serialPrefix: null,
    async start({ printer, key, port, planOf }) {
      return withCamera({ printer, port }, async (camera) => {
        const snapshot_url = `http://${address}:${camera.port}/?action=snapshot`
        const webcams = [{ name: 'front', snapshot_url, enabled: true }]
        const front = await startMoonrakerSimulator({ printer, apiKey: key, webcams, port, planOf })
        return { connection: { address, port: front.port, api_key: key }, close: front.close }
      })
    },
  },
  prusalink: {
    title: 'PrusaLink',
    model: 'MK4S',
    connectionType: 'prusalink',
    serialPrefix: null,
    async start({ printer, key, port, planOf }) {
      const password = key.slice(0, 16)
      const front = await startPrusaLinkSimulator({ printer, password, port, planOf })
      return { connection: { address, port: front.port, password }, close: front.close }
    },
  },
  bambu: {
    title: 'Bambu',
    model: bambuModel,
    connectionType: 'bambu',
    serialPrefix: '01P00A',
    async start({ printer, serial, code, port, planOf }) {
      const ports = { mqttPort: port, ftpsPort: port && port + 1, cameraPort: cameraPortOf(port) }
      const front = await startBambuSimulator({
        printer,
        serial,
        accessCode: code,
        model: bambuModel,
        planOf,
        ...ports,
      })
      const { mqttPort, ftpsPort, camera, close } = front
      const services = { port: mqttPort, ftps_port: ftpsPort, camera_port: camera.port }
      return { connection: { address, ...services, serial, access_code: code }, close }
    },
  },
  elegoo: {
    title: 'Centauri Carbon',
    model: 'Centauri Carbon',
    connectionType: 'elegoo',
    serialPrefix: null,
    async start({ printer, port, planOf }) {
      return withCamera({ printer, port }, async (camera) => {
        const front = await startSdcpSimulator({ printer, videoUrl: `${address}:${camera.port}/video`, port, planOf })
        return { connection: { address, port: front.port, protocol: 'sdcp' }, close: front.close }
      })
    },
  },
  'elegoo-cc2': {
    title: 'Centauri Carbon 2',
    model: 'Centauri Carbon 2',
    machine: 'Centauri Carbon',
    connectionType: 'elegoo',
    serialPrefix: 'F01AB2',
    async start({ printer, serial, code, port, planOf }) {
      const ports = { port, httpPort: port && port + 1 }
      return withCamera({ printer, port }, async (camera) => {
        const front = await startCc2Simulator({ printer, serial, accessCode: code, planOf, ...ports })
        const services = { port: front.port, http_port: front.httpPort, camera_port: camera.port }
        return { connection: { address, ...services, protocol: 'mqtt', serial, access_code: code }, close: front.close }
      })
    },
  },
  creality: {
    title: 'Creality',
    model: 'K1 Max',
    connectionType: 'creality',
    serialPrefix: null,
    async start({ printer, port, planOf }) {
      return withCamera({ printer, port }, async (camera) => {
        const front = await startCrealitySimulator({ printer, port, planOf })
        const services = { port: front.port, http_port: front.port, camera_port: camera.port }
        return { connection: { address, ...services }, close: front.close }
      })
    },
  },
}

/** Behind the ports of the printer itself. */
const cameraPortOf = (port: number) => port && port + 2

/** A printer whose camera is a program of its own beside it. */
async function withCamera(
  { printer, port }: Pick<FrontOptions, 'printer' | 'port'>,
  start: (camera: SimulatedCamera) => Promise<Front>,
): Promise<Front> {
  const camera = await startCameraServer(printer, cameraPortOf(port))
  try {
    const { connection, close } = await start(camera)
    return {
      connection,
      async close() {
        await Promise.all([close(), camera.close()])
      },
    }
  } catch (error) {
    await camera.close()
    throw error
  }
}

/** Switches a simulated printer on; rejects when its port is taken. Files print as long as they say that they do. */
export async function startSimulatedPrinter(options: SimulatedPrinterOptions): Promise<SimulatedPrinter> {
  const { family, number, speed = 1, seed, port } = options
  const { title, model, machine = model, connectionType, serialPrefix, start } = families[family]
  const id = `${family}-${number}`
  const digest = createHash('sha256').update(`${seed} ${id}`).digest('hex')
  const serial = `${serialPrefix ?? ''}${digest.slice(0, 9).toUpperCase()}`
  const printer = createVirtualPrinter({ id, model: machine, speed, seed: seedOf(`${seed} ${id}`) })
  await printer.powerOn()
  const credentials = {
    key: digest.slice(0, 32),
    code: String(10_000_000 + (Number.parseInt(digest.slice(0, 8), 16) % 90_000_000)),
  }
  try {
    const front = await start({ printer, serial, ...credentials, port, planOf: planOfContent })
    return {
      family,
      serial: serialPrefix === null ? null : serial,
      settings: { name: `${title} ${number}`, model, connection_type: connectionType, connection: front.connection },
      printer,
      async close() {
        await front.close()
        await printer.powerOff()
      },
    }
  } catch (error) {
    await printer.powerOff()
    throw error
  }
}
