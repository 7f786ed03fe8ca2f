import { createVirtualPrinter } from '@printyard/virtual-printers/create-virtual-printer'
import { startPrusaLinkSimulator } from '@printyard/virtual-printers/prusalink/prusalink-simulator'
import type { SimulatedCamera } from '@printyard/virtual-printers/wire/camera-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { buildPrinter } from '../../test/test-service.ts'
import { asStillError } from '../camera/still-error.ts'
import { abilities } from '../family-capabilities.ts'

async function startPeer(camera?: Pick<SimulatedCamera, 'mode'>) {
  const printer = createVirtualPrinter({ id: 'prusalink', model: 'MK4S', speed: 1, slowFileStoreMs: 1_500 })
  await printer.powerOn()
  const simulator = await startPrusaLinkSimulator({ printer, password: 'Pass-word-1', ...(camera && { camera }) })
  const connection = { address: '127.0.0.1', port: simulator.port, password: 'Pass-word-1' }
  return {
    printer,
    simulator,
    connection,
    wrongConnection: { ...connection, password: 'Wrong-word-1' },
    cut: simulator.cut,
    async sendNonsense() {
      await simulator.answerOnce({ printer: { state: 7, temp_nozzle: 'hot' }, job: { id: 'x', progress: 1e99 } })
      await simulator.answerOnce({ job: [], printer: null, storage: 5 })
    },
    close: simulator.close,
  }
}

describeDriver('prusalink', () => startPeer(), {
  layers: false,
  heaters: false,
  light: false,
  camera: false,
  family: 'prusalink_buddy',
})

describe('a board that can serve one at a time', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig
  const soon = () => AbortSignal.timeout(20_000)

  beforeEach(async () => {
    peer = await startPeer()
    rig = await startRig(buildPrinter({ connection_type: 'prusalink', connection: peer.connection }))
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  })
  afterEach(async () => {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('is asked one thing at a time, whatever is wanted of it during an upload', async () => {
    await rig.driver.upload(rig.makeFile('cube-0000.gcode'), soon())
    peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
    await rig.until(({ status }) => status === 'printing', 'the run')
    // Several polls fall due meanwhile, and none may be lost for it.
    peer.printer.setFaults(['slow_file_store'])
    const seen = rig.states.length
    await Promise.all([
      rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon()),
      rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon()),
      rig.driver.removeFile('cube-0000.gcode', soon()),
      rig.driver.upload(rig.makeFile('cube-0002.gcode'), soon()),
    ])
    peer.printer.setFaults([])
    await rig.until(({ status }) => status === 'paused', 'the pause')
    expect(rig.states.slice(seen).every(({ status }) => status !== 'offline')).toBe(true)
    expect((await peer.printer.listFiles(soon())).map(({ fileName }) => fileName)).toEqual([
      'cube-0001.gcode',
      'cube-0002.gcode',
    ])
    expect(peer.simulator.mostAtOnce).toBe(1)
  })

  test('is let go of at once when the driver stops in the middle of a question', async () => {
    peer.printer.setFaults(['lost_link'])
    await vi.waitFor(() => expect(peer.simulator.openConnections).toBe(1), { timeout: 20_000, interval: 10 })
    await rig.driver.stop()
    await vi.waitFor(() => expect(peer.simulator.openConnections).toBe(0), { timeout: 20_000, interval: 10 })
  })

  test('gets its connection back after each question', async () => {
    for (let count = 0; count < 3; count += 1) {
      await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
      await vi.waitFor(() => expect(peer.simulator.openConnections).toBe(0), { timeout: 20_000, interval: 10 })
    }
  })
})

describe('the login of PrusaLink', () => {
  let peer: Awaited<ReturnType<typeof startPeer>>
  let rig: Rig
  const soon = () => AbortSignal.timeout(15_000)

  beforeEach(async () => {
    peer = await startPeer()
    rig = await startRig(buildPrinter({ connection_type: 'prusalink', connection: peer.connection }))
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
  })
  afterEach(async () => {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  })

  test('is renewed when its nonce is stale, and no upload is sent twice for it', async () => {
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
    peer.simulator.expireNonces()
    await rig.driver.upload(rig.makeFile('cube-0002.gcode'), soon())
    expect(peer.printer.events.filter(({ kind }) => kind === 'uploaded')).toHaveLength(2)
    expect(peer.simulator.wastedUploads).toBe(0)
  })

  test('a driver that is stopped while it shows what it heard stops at once', async () => {
    const stopped = new Promise<void>((resolve, reject) => {
      // Within the poll, before the pause behind it.
      rig.driver.onState(() => void rig.driver.stop().then(resolve, reject))
    })
    await peer.printer.setTargets({ bed: 55 }, soon())
    await stopped
  })

  test('a file that is not there is refused with the words of the printer', async () => {
    await expect(rig.driver.removeFile('nothing.gcode', soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining('File not found'),
    })
  })

  test('a no without a reason sends a person to the screen of the printer', async () => {
    await rig.driver.upload(rig.makeFile('cube-0001.gcode'), soon())
    peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
    await expect(rig.driver.startPrint('cube-0001.gcode', sampleFile, soon())).rejects.toMatchObject({
      code: 'BUSY',
      message: expect.stringContaining("confirm what the printer's screen asks"),
    })
  })
})

test('PrusaLink on a Raspberry Pi sets heaters, and does what the table of abilities says', async () => {
  const peer = await startPeer({ mode: 'works' })
  const rig = await startRig(buildPrinter({ connection_type: 'prusalink', connection: peer.connection }))
  const soon = () => AbortSignal.timeout(15_000)
  try {
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    const { commands } = rig.driver.capabilities
    for (const wish of ['heaters', 'light', 'load_filament', 'unload_filament'] as const) {
      expect(commands.has(wish), wish).toBe(abilities.prusalink_pi[wish])
    }
    expect(rig.state.firmware_version).toBe('3.14.0')
    await rig.driver.run({ kind: 'heaters', args: { nozzle: 150, bed: 50 } }, soon())
    await rig.until(
      ({ target_nozzle_temp, target_bed_temp }) => target_nozzle_temp === 150 && target_bed_temp === 50,
      'the targets',
    )
    await expect(rig.driver.run({ kind: 'heaters', args: { chamber: 40 } }, soon())).rejects.toMatchObject({
      code: 'NOT_SUPPORTED',
    })
  } finally {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  }
})

test('PrusaLink on a Raspberry Pi shows its camera, and says why when it cannot', async () => {
  const camera: Pick<SimulatedCamera, 'mode'> = { mode: 'works' }
  const peer = await startPeer(camera)
  const rig = await startRig(buildPrinter({ connection_type: 'prusalink', connection: peer.connection }))
  try {
    await rig.until(({ status }) => status === 'idle', 'the printer to be idle')
    expect(rig.driver.capabilities.camera).toBe(true)
    const still = await rig.driver.takeStill(AbortSignal.timeout(15_000))
    expect(still.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    for (const [mode, code, limitMs] of [
      ['not_a_picture', 'NOT_A_PICTURE', 15_000],
      ['oversize', 'TOO_LARGE', 15_000],
      ['half_dead', 'TIMEOUT', 1_000],
      ['refuses', 'CAMERA_REFUSED', 15_000],
    ] as const) {
      camera.mode = mode
      const told = await rig.driver.takeStill(AbortSignal.timeout(limitMs)).catch(asStillError)
      expect(told, mode).toMatchObject({ code })
    }
  } finally {
    await rig.close()
    await peer.close()
    await peer.printer.powerOff()
  }
})
