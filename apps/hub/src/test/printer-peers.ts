import { startCrealitySimulator } from '@printyard/virtual-printers/creality/creality-simulator'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startCc2Simulator } from '@printyard/virtual-printers/elegoo/cc2-simulator'
import { startSdcpSimulator } from '@printyard/virtual-printers/elegoo/sdcp-simulator'
import { startMoonrakerSimulator } from '@printyard/virtual-printers/moonraker/moonraker-simulator'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { startPrusaLinkSimulator } from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { startBambuPeer } from './bambu-peer.ts'

const apiKey = '0123456789abcdef0123456789abcdef'

async function powered(model: string) {
  const printer = createVirtualPrinter({ id: model, model, speed: 1 })
  await printer.powerOn()
  return printer
}

/** One simulated printer of each family, with the settings that reach it. `close` switches it off. */
export const startPeerOf = {
  async octoprint() {
    const printer = await powered('MK3S')
    const simulator = await startOctoPrintSimulator({ printer, apiKey })
    const connection = { address: '127.0.0.1', port: simulator.port, api_key: apiKey }
    return { simulator, connection, secret: 'api_key', ...closing(simulator, printer) }
  },
  async moonraker() {
    const printer = await powered('Voron 2.4')
    const simulator = await startMoonrakerSimulator({ printer, apiKey })
    const connection = { address: '127.0.0.1', port: simulator.port, api_key: apiKey }
    return { simulator, connection, secret: 'api_key', ...closing(simulator, printer) }
  },
  async prusalink() {
    const printer = await powered('MK4S')
    const simulator = await startPrusaLinkSimulator({ printer, password: 'Pass-word-1' })
    const connection = { address: '127.0.0.1', port: simulator.port, password: 'Pass-word-1' }
    return { simulator, connection, secret: 'password', ...closing(simulator, printer) }
  },
  async bambu() {
    const { simulator, printer, connection, close } = await startBambuPeer()
    return { simulator, connection, secret: 'access_code', printer, close }
  },
  async creality() {
    const printer = await powered('K1 Max')
    const simulator = await startCrealitySimulator({ printer })
    const connection = { address: '127.0.0.1', port: simulator.port }
    return { simulator, connection, secret: undefined, ...closing(simulator, printer) }
  },
  async sdcp() {
    const printer = await powered('Centauri Carbon')
    const simulator = await startSdcpSimulator({ printer })
    const connection = { address: '127.0.0.1', port: simulator.port }
    return { simulator, connection, secret: undefined, ...closing(simulator, printer) }
  },
  async cc2() {
    const printer = await powered('Centauri Carbon')
    const serial = 'F01AB2C3D4E5F6G'
    const simulator = await startCc2Simulator({ printer, serial, accessCode: 'Pass-word-1' })
    const connection = {
      address: '127.0.0.1',
      port: simulator.port,
      http_port: simulator.httpPort,
      serial,
      access_code: 'Pass-word-1',
    }
    return { simulator, connection, secret: 'access_code', ...closing(simulator, printer) }
  },
}

function closing(simulator: { close(): Promise<void> }, printer: VirtualPrinter) {
  return {
    printer,
    async close() {
      await simulator.close()
      await printer.powerOff()
    },
  }
}
