import { type BambuSimulatorOptions, startBambuSimulator } from '@printyard/virtual-printers/bambu/bambu-simulator'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'

export const serial = '01P00A123456789'
export const accessCode = '12345678'

/** A simulated printer for the tests of this folder, switched on. */
export async function startBambuPeer(options: Partial<BambuSimulatorOptions> = {}) {
  const model = options.model ?? 'P1S'
  const printer = createVirtualPrinter({ id: 'bambu', model, speed: 1, slowFileStoreMs: 5_000 })
  await printer.powerOn()
  const simulator = await startBambuSimulator({ printer, serial, accessCode, model, ...options })
  const connection = {
    address: '127.0.0.1',
    port: simulator.mqttPort,
    ftps_port: simulator.ftpsPort,
    camera_port: simulator.camera.port,
    serial,
    access_code: accessCode,
  }
  return {
    printer,
    simulator,
    camera: simulator.camera,
    connection,
    wrongConnection: { ...connection, access_code: '87654321' },
    cut: simulator.cut,
    setEndsLinger: simulator.setEndsLinger,
    sendNonsense() {
      const texts = ['', '{', 'null', '[]', '5', '{"print": 7}', '{"print": {"command": "push_status", "msg": 0}}']
      const noText = '{"toString": 1}'
      texts.push(`{"print": {"command": ${noText}, "sequence_id": ${noText}, "ams": {"ams": [{"id": ${noText}}]}}}`)
      for (const text of texts) simulator.sendRaw(Buffer.from(text))
      simulator.sendRaw(Buffer.from([0xff, 0xfe, 0x00, 0x7b]))
      simulator.sendFields({ gcode_state: '', mc_percent: 'much', nozzle_temper: null, hms: 5, ams: [[]], stg_cur: {} })
      simulator.sendFields({ gcode_state: 'UNKNOWN', layer_num: -1, bed_temper: 'NaN', lights_report: [null, 1] })
    },
    async close() {
      await simulator.close()
      await printer.powerOff()
    },
  }
}

export type BambuPeer = Awaited<ReturnType<typeof startBambuPeer>>
