import type { VirtualPrinter } from '@printyard/virtual-printers/virtual-printer'
import { afterAll, beforeAll, describe } from 'vitest'
import { isPeerInstalled } from '../../testing/python-peers.ts'
import { type RealMoonraker, startRealMoonraker } from '../../testing/real-moonraker.ts'
import { startTcpRelay, type TcpRelay } from '../../testing/tcp-relay.ts'
import { describeDriver } from '../conformance/describe-driver.ts'

/** Of a file of the tests about a half. */
const HALF_UPLOAD_BYTES = 100_000

describe.skipIf(!isPeerInstalled('moonraker'))('in front of Moonraker 0.10.0 with a simulated Klipper', () => {
  let moonraker: RealMoonraker

  beforeAll(async () => {
    moonraker = await startRealMoonraker()
  }, 400_000)
  afterAll(() => moonraker?.close())

  async function startPeer() {
    const { printer, klippy, detach } = await moonraker.attachKlipper()
    const relay = await startTcpRelay(moonraker.port)
    const connection = { address: '127.0.0.1', port: relay.port, api_key: moonraker.apiKey }
    return {
      printer: behindCable(printer, relay),
      klippy,
      connection,
      wrongConnection: { ...connection, api_key: 'ffffffffffffffffffffffffffffffff' },
      cut: relay.cut,
      async close() {
        await relay.close()
        await detach()
      },
    }
  }

  describeDriver('moonraker', startPeer, {}, { waitFactor: 0.3, patience: 4 })
})

/** What goes wrong with the link goes wrong between driver and Moonraker, not behind it. */
function behindCable(printer: VirtualPrinter, relay: TcpRelay): VirtualPrinter {
  const behind: VirtualPrinter = Object.create(printer)
  behind.setFaults = (faults) => {
    relay.setSilent(faults.includes('lost_link'))
    relay.cutAfterBytes(faults.includes('half_upload') ? HALF_UPLOAD_BYTES : undefined)
    printer.setFaults(faults.filter((fault) => fault !== 'lost_link' && fault !== 'half_upload'))
  }
  return behind
}
