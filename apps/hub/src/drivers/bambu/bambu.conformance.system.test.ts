import { type BambuSimulatorOptions, startBambuSimulator } from '@printyard/virtual-printers/bambu/bambu-simulator'
import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { describeDriver } from '../conformance/describe-driver.ts'

const serial = '01P00A123456789'
const accessCode = '12345678'

async function startPeer(options: Partial<BambuSimulatorOptions> = {}) {
  const model = options.model ?? 'P1S'
  const printer = createVirtualPrinter({ id: 'bambu', model, speed: 1 })
  await printer.powerOn()
  const simulator = await startBambuSimulator({ printer, serial, accessCode, model, ...options })
  const connection = {
    address: '127.0.0.1',
    port: simulator.mqttPort,
    ftps_port: simulator.ftpsPort,
    serial,
    access_code: accessCode,
  }
  return {
    printer,
    simulator,
    connection,
    wrongConnection: { ...connection, access_code: '87654321' },
    cut: simulator.cut,
    sendNonsense() {
      for (const text of [
        '',
        '{',
        'null',
        '[]',
        '5',
        '{"print": 7}',
        '{"print": {"command": "push_status", "msg": 0}}',
      ]) {
        simulator.sendRaw(Buffer.from(text))
      }
      simulator.sendRaw(Buffer.from([0xff, 0xfe, 0x00, 0x7b]))
      simulator.sendFields({ gcode_state: '', mc_percent: 'much', nozzle_temper: null, hms: 5, ams: [[]], stg_cur: {} })
      simulator.sendFields({
        gcode_state: 'UNKNOWN',
        layer_num: -1,
        bed_temper: 'NaN',
        lights_report: [null, 1],
        fun: 'x',
      })
    },
    close: simulator.close,
  }
}

describeDriver('bambu', startPeer)
