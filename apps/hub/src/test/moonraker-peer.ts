import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import {
  type MoonrakerSimulatorOptions,
  startMoonrakerSimulator,
} from '@printyard/virtual-printers/moonraker/moonraker-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'

const apiKey = '0123456789abcdef0123456789abcdef'

/** Moonraker's simulator in front of a simulated printer, for the tests of this folder. */
export async function startMoonrakerPeer(options: Pick<MoonrakerSimulatorOptions, 'changer'> = {}) {
  const printer = createVirtualPrinter({ id: 'moonraker', model: 'Voron 2.4', speed: 1 })
  await printer.powerOn()
  const camera = await startCameraServer(printer)
  const webcams = [
    { name: 'off', snapshot_url: '/off?action=snapshot', enabled: false },
    { name: 'front', snapshot_url: '/webcam/?action=snapshot', enabled: true },
  ]
  const simulator = await startMoonrakerSimulator({ printer, apiKey, webcams, ...options })
  const connection = { address: '127.0.0.1', port: simulator.port, camera_port: camera.port, api_key: apiKey }
  return {
    printer,
    simulator,
    camera,
    connection,
    wrongConnection: { ...connection, api_key: 'ffffffffffffffffffffffffffffffff' },
    cut: simulator.cut,
    sendNonsense() {
      const update = (params: unknown) => JSON.stringify({ jsonrpc: '2.0', method: 'notify_status_update', params })
      const texts = ['', '{', 'null', '[]', '{"id": 999, "result": 1}', update(null), update([5]), update([[1]])]
      for (const text of texts) simulator.sendRaw(text)
      simulator.sendRaw(update([{ extruder: { temperature: 'hot', target: null }, __proto__: { x: 1 }, toString: 5 }]))
      simulator.sendRaw('{"jsonrpc": "2.0", "method": "notify_history_changed", "params": [{"job": 7}]}')
    },
    async close() {
      await Promise.all([simulator.close(), camera.close()])
    },
  }
}

export type MoonrakerPeer = Awaited<ReturnType<typeof startMoonrakerPeer>>
