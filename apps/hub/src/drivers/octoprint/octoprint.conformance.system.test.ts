import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startOctoPrintSimulator } from '@printyard/virtual-printers/octoprint/octoprint-simulator'
import { startCameraServer } from '@printyard/virtual-printers/wire/camera-server'
import { describeDriver } from '../conformance/describe-driver.ts'

const apiKey = '0123456789ABCDEF0123456789ABCDEF'

describeDriver(
  'octoprint',
  async () => {
    const printer = createVirtualPrinter({ id: 'octoprint', model: 'MK3S', speed: 1 })
    await printer.powerOn()
    const camera = await startCameraServer(printer)
    // As the host of OctoPrint sees it.
    const webcam = { snapshotUrl: `http://localhost:${camera.port}/?action=snapshot` }
    const simulator = await startOctoPrintSimulator({ printer, apiKey, webcam })
    const address = `http://127.0.0.1:${simulator.port}`
    return {
      printer,
      camera,
      connection: { address, api_key: apiKey },
      wrongConnection: { address, api_key: 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF' },
      cut: simulator.cut,
      sendNonsense() {
        const texts = ['', '{', 'null', '[]', '{"current": 5}', '{"current": {"state": {"flags": []}}}', '\u0000']
        for (const text of texts) simulator.sendRaw(text)
        simulator.sendRaw('{"current": {"temps": [{"tool0": {"actual": "hot", "target": 1e99}}], "job": null}}')
        simulator.sendRaw('{"event": {"type": "constructor", "payload": {"path": "x"}}}')
      },
      async close() {
        await Promise.all([simulator.close(), camera.close()])
      },
    }
  },
  { layers: false, light: false },
)
