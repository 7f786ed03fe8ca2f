import { buildGcode3mf } from '@printyard/print-files/test/build-gcode-3mf'
import { withTemporaryFile } from '@printyard/print-files/test/temporary-file'
import type { BambuSimulatorOptions } from '@printyard/virtual-printers/bambu/bambu-simulator'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { readUsedFilaments } from '../../files/used-filaments.ts'
import { type BambuPeer, startBambuPeer } from '../../test/bambu-peer.ts'
import { type Rig, sampleFile, startRig } from '../../test/conformance/driver-rig.ts'
import { buildPrinter } from '../../test/test-service.ts'
import { developerModeRemedy } from './bambu-faults.ts'

let peer: BambuPeer
let rig: Rig
const open: (() => Promise<void>)[] = []
const soon = () => AbortSignal.timeout(20_000)
const project = { ...sampleFile, format: 'gcode-3mf', archive_plate: 2 } as const

async function begin(options: Partial<BambuSimulatorOptions> = {}): Promise<void> {
  peer = await startBambuPeer(options)
  open.push(peer.close)
  await connect()
}

async function connect(more: Record<string, unknown> = {}): Promise<void> {
  rig = await startRig(buildPrinter({ connection_type: 'bambu', connection: { ...peer.connection, ...more } }))
  open.push(rig.close)
}

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const isIdle = () => rig.until(({ status }) => status === 'idle', 'the printer to be idle')
const sent = (command: string) => peer.simulator.requests.filter((request) => request.command === command)

describe('a plate of an archive', () => {
  test('is printed from the spools that its own filaments ask for', async () => {
    await begin({ model: 'X1C', hasAms: true })
    await isIdle()
    const filament = { id: 3, type: 'PLA', color: '#1A1A1A', presetId: 'GFA00', usedM: 1, usedG: 3 }
    const archive = buildGcode3mf({ plates: [{ index: 1 }, { index: 2, filaments: [filament] }] })
    const filaments = await withTemporaryFile(archive, async (path) => {
      const file = { path, size_bytes: archive.length, file_name: 'clip-1.gcode.3mf' }
      await rig.driver.upload(file, soon())
      return readUsedFilaments(path, project, soon())
    })
    await rig.driver.startPrint('clip-1.gcode.3mf', { ...project, filaments }, soon())
    await rig.until(({ run }) => run !== null, 'the run')
    expect(sent('project_file')[0]?.fields.ams_mapping).toEqual([-1, -1, 0])
  })

  test('is printed from the slots that were chosen, and from no other', async () => {
    await begin({ model: 'X1C', hasAms: true })
    await isIdle()
    const { slots } = await rig.until(({ slots }) => slots !== null && slots !== undefined, 'the slots')
    expect(slots?.[0]).toMatchObject({ slot: 0, is_external: false })
    await rig.driver.upload(rig.makeFile('clip-1.gcode.3mf'), soon())
    const filaments = [{ index: 1, type: 'TPU', colorHex: '#FF0000' }]
    const command = (slot: number | null) => ({ ...project, filaments, filament_map: [{ filament: 1, slot }] })
    for (const slot of [null, 77]) {
      const refused = rig.driver.startPrint('clip-1.gcode.3mf', command(slot), soon())
      await expect(refused).rejects.toMatchObject({ code: 'NOT_MAPPED' })
    }
    expect(sent('project_file')).toEqual([])
    await rig.driver.startPrint('clip-1.gcode.3mf', command(0), soon())
    await rig.until(({ run }) => run !== null, 'the run')
    expect(sent('project_file')[0]?.fields).toMatchObject({
      use_ams: true,
      ams_mapping: [-1, 0],
      ams_mapping2: [
        { ams_id: 255, slot_id: 255 },
        { ams_id: 0, slot_id: 0 },
      ],
    })
  })

  test('is started by the file that it lies in, under a number that the run is known by', async () => {
    await begin({ model: 'X1C', hasAms: true })
    await isIdle()
    await rig.driver.upload(rig.makeFile('clip-1.gcode.3mf'), soon())
    const { run_id } = await rig.driver.startPrint('clip-1.gcode.3mf', project, soon())
    const { run } = await rig.until(({ run }) => run !== null, 'the run')
    expect(run).toEqual({ file_name: 'clip-1.gcode.3mf', job_id: run_id, attempt_id: null })
    expect(sent('project_file')).toHaveLength(1)
    expect(sent('project_file')[0]?.fields).toMatchObject({
      param: 'Metadata/plate_2.gcode',
      url: 'ftp:///clip-1.gcode.3mf',
      use_ams: true,
      ams_mapping: [0],
      ams_mapping2: [{ ams_id: 0, slot_id: 0 }],
    })
    expect(Number(run_id)).toBeLessThan(2 ** 31)
  })

  test('for which no spool fits is refused and never sent: the printer would prepare for ever', async () => {
    await begin({ model: 'X1C', hasAms: true })
    await isIdle()
    await rig.driver.upload(rig.makeFile('clip-1.gcode.3mf'), soon())
    const started = rig.driver.startPrint('clip-1.gcode.3mf', { ...project, filament_type: 'PETG' }, soon())
    await expect(started).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('PETG') })
    expect(sent('project_file')).toEqual([])
  })
})

test('our file printed again at the screen is not our run', async () => {
  await begin()
  peer.simulator.setHandPrintsNumbered(false)
  await isIdle()
  await rig.driver.upload(rig.makeFile('clip-1.gcode.3mf'), soon())
  const { run_id } = await rig.driver.startPrint('clip-1.gcode.3mf', project, soon())
  await rig.until(({ run }) => run !== null && run.job_id === run_id, 'our run')
  peer.simulator.cut()
  await rig.until(({ status }) => status === 'offline', 'the loss')
  await peer.printer.stop(soon())
  peer.printer.startByHand('clip-1.gcode.3mf', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
  const { run } = await rig.until(({ run }) => run !== null, 'the run by hand')
  expect(run).toMatchObject({ file_name: 'clip-1.gcode.3mf', job_id: '0' })
})

test('a printer that still says "finished" after it took a job is not given a second one', async () => {
  await begin({ model: 'A1 mini' })
  await isIdle()
  peer.simulator.setStartsHidden(true)
  for (const name of ['a.gcode', 'b.gcode']) await rig.driver.upload(rig.makeFile(name), soon())
  await rig.driver.startPrint('a.gcode', sampleFile, soon())
  expect(rig.state.status).toBe('idle')
  await expect(rig.driver.startPrint('b.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'BUSY' })
  const seen = rig.states.length
  peer.cut()
  await rig.until(({ status }) => status === 'idle' && rig.states.length > seen + 1, 'the next connection')
  await expect(rig.driver.startPrint('b.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'BUSY' })
  peer.simulator.setStartsHidden(false)
  await rig.until(({ run }) => run?.file_name === 'a.gcode', 'the run')
  await expect(rig.driver.startPrint('b.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'BUSY' })
  expect(sent('gcode_file')).toHaveLength(1)
})

test('a start that came to nothing gives the printer free after its time and a full report', {
  timeout: 60_000,
}, async () => {
  await begin({ model: 'X1C' })
  await isIdle()
  await rig.driver.upload(rig.makeFile('a.gcode.3mf'), soon())
  peer.printer.setFaults(['yes_without_effect'])
  await rig.driver.startPrint('a.gcode.3mf', project, soon())
  peer.printer.setFaults([])
  const again = () => rig.driver.startPrint('a.gcode.3mf', project, soon())
  await expect(again()).rejects.toMatchObject({ code: 'BUSY' })
  await vi.waitFor(again, { timeout: 45_000, interval: 250 })
  await rig.until(({ run }) => run !== null, 'the run')
  expect(sent('project_file')).toHaveLength(2)
})

test('a start that came to nothing is asked about on a printer that tells only changes', {
  timeout: 60_000,
}, async () => {
  await begin({ model: 'A1 mini' })
  await isIdle()
  await rig.driver.upload(rig.makeFile('a.gcode'), soon())
  peer.printer.setFaults(['yes_without_effect'])
  await rig.driver.startPrint('a.gcode', sampleFile, soon())
  peer.printer.setFaults([])
  const again = () => rig.driver.startPrint('a.gcode', sampleFile, soon())
  await expect(again()).rejects.toMatchObject({ code: 'BUSY' })
  expect(sent('pushall')).toHaveLength(1)
  await vi.waitFor(again, { timeout: 45_000, interval: 250 })
  await rig.until(({ run }) => run !== null, 'the run')
  expect(sent('pushall')).toHaveLength(2)
  expect(sent('gcode_file')).toHaveLength(2)
})

describe('a file that the printer has not closed yet', () => {
  const started = () => peer.printer.events.filter(({ kind }) => kind === 'started')

  test('is asked for again until it is, and started once', async () => {
    await begin({ model: 'A1 mini' })
    await isIdle()
    for (const name of ['a.gcode', 'b.gcode']) await rig.driver.upload(rig.makeFile(name), soon())
    peer.simulator.refuseUnsettled(2)
    const starting = rig.driver.startPrint('a.gcode', sampleFile, soon())
    // Nothing comes between the tries.
    await expect(rig.driver.startPrint('b.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'BUSY' })
    await starting
    await rig.until(({ run }) => run?.file_name === 'a.gcode', 'the run')
    expect(sent('gcode_file')).toHaveLength(3)
    expect(started()).toHaveLength(1)
  })

  test('is left alone when a person begins another job meanwhile', async () => {
    await begin({ model: 'A1 mini' })
    await isIdle()
    await rig.driver.upload(rig.makeFile('a.gcode'), soon())
    peer.simulator.refuseUnsettled(1_000)
    const starting = rig.driver.startPrint('a.gcode', sampleFile, soon())
    const refused = expect(starting).rejects.toMatchObject({ code: 'BUSY' })
    await vi.waitFor(() => expect(sent('gcode_file').length).toBeGreaterThan(0), { timeout: 20_000, interval: 10 })
    peer.printer.startByHand('vase.gcode', { printTimeSeconds: 600, layerCount: 50, nozzleTemp: 215, bedTemp: 60 })
    await refused
    expect(started()).toHaveLength(1)
  })

  test('for too long is refused as what the printer says of its card, and the next start is free', async () => {
    await begin({ model: 'A1 mini' })
    await isIdle()
    await rig.driver.upload(rig.makeFile('a.gcode'), soon())
    peer.simulator.refuseUnsettled(1_000)
    const start = () => rig.driver.startPrint('a.gcode', sampleFile, soon())
    await expect(start()).rejects.toMatchObject({ code: 'REFUSED', message: expect.stringContaining('0500_C010') })
    expect(sent('gcode_file').length).toBeGreaterThan(1)
    expect(started()).toEqual([])
    peer.simulator.refuseUnsettled(0)
    await start()
    await rig.until(({ run }) => run?.file_name === 'a.gcode', 'the run')
    expect(started()).toHaveLength(1)
  })
})

test('a command that was never acknowledged is not sent again on the next connection', async () => {
  await begin()
  await isIdle()
  await rig.driver.upload(rig.makeFile('a.gcode'), soon())
  await rig.driver.startPrint('a.gcode', sampleFile, soon())
  await rig.until(({ run }) => run !== null, 'the run')
  peer.simulator.setDeaf(true)
  const pause = rig.driver.run({ kind: 'pause', args: { attempt_id: null } }, soon())
  const refused = expect(pause).rejects.toMatchObject({ code: 'NO_ANSWER' })
  await rig.until(({ status }) => status === 'paused', 'the pause')
  const seen = rig.states.length
  peer.cut()
  await refused
  peer.simulator.setDeaf(false)
  await rig.until(() => rig.states.slice(seen).some(({ status }) => status === 'offline'), 'the end of the connection')
  await rig.until(({ status }) => status === 'paused', 'the return', 20_000)
  await vi.waitFor(async () => rig.driver.run({ kind: 'resume', args: { attempt_id: null } }, soon()), {
    timeout: 20_000,
    interval: 100,
  })
  await rig.until(({ status }) => status === 'printing', 'the run again')
  expect(sent('pause')).toHaveLength(1)
})

test('acknowledgements that are lost hold up no later command, and nothing is sent again for them', async () => {
  await begin()
  await isIdle()
  peer.simulator.setForgetsAcknowledgements(true)
  await rig.driver.upload(rig.makeFile('a.gcode'), soon())
  await rig.driver.startPrint('a.gcode', sampleFile, soon())
  await rig.until(({ run }) => run !== null, 'the run')
  // More than any client was seen to keep open at a time.
  for (let count = 1; count <= 60; count += 1) {
    await rig.driver.run({ kind: 'light', args: { on: count % 2 === 1 } }, soon())
  }
  const seen = rig.states.length
  peer.cut()
  await rig.until(() => rig.states.slice(seen).some(({ status }) => status === 'offline'), 'the end of the connection')
  await rig.until(({ status }) => status === 'printing', 'the return')
  await vi.waitFor(() => rig.driver.run({ kind: 'light', args: { on: true } }, soon()), {
    timeout: 20_000,
    interval: 100,
  })
  await rig.until(({ light_on }) => light_on === true, 'the light')
  expect(sent('gcode_file')).toHaveLength(1)
  expect(sent('ledctrl')).toHaveLength(61)
  expect(peer.printer.events.filter(({ kind }) => kind === 'started')).toHaveLength(1)
})

describe('with Developer mode off', () => {
  const light = { kind: 'light', args: { on: true } } as const

  test('the printer is in error with what to do, and is not asked', async () => {
    await begin({ model: 'X1C' })
    peer.simulator.setDeveloperMode('off')
    await rig.until(({ status_reason }) => status_reason === developerModeRemedy, 'the remedy')
    expect(rig.state.status).toBe('error')
    await expect(rig.driver.run(light, soon())).rejects.toMatchObject({ code: 'REFUSED', message: developerModeRemedy })
    expect(sent('ledctrl')).toEqual([])
    peer.simulator.setDeveloperMode('on')
    await isIdle()
    await rig.driver.run(light, soon())
    await rig.until(({ light_on }) => light_on === true, 'the light')
  })

  test('a refusal that says so is told with what to do, until a command is taken', async () => {
    await begin()
    await isIdle()
    peer.simulator.setDeveloperMode('refusing')
    await expect(rig.driver.run(light, soon())).rejects.toMatchObject({ code: 'REFUSED', message: developerModeRemedy })
    const refusing = await rig.until(({ status_reason }) => status_reason === developerModeRemedy, 'the remedy')
    expect(refusing.problems).toEqual([{ reason: 'developer_mode_off', message: null }])
    peer.simulator.setDeveloperMode('on')
    await rig.driver.run(light, soon())
    expect((await isIdle()).problems).toEqual([])
  })

  test('an answer without a result proves nothing', async () => {
    await begin()
    await isIdle()
    peer.simulator.setDeveloperMode('silent')
    await rig.driver.run(light, soon())
    expect(rig.state).toMatchObject({ status: 'idle', status_reason: null })
  })
})

test('everything is asked for once with each connection: asked more often, small models stall', async () => {
  await begin()
  await isIdle()
  expect(sent('pushall')).toHaveLength(1)
  const seen = rig.states.length
  peer.cut()
  await rig.until(() => rig.states.slice(seen).some(({ status }) => status === 'offline'), 'the end of the connection')
  await isIdle()
  expect(sent('pushall')).toHaveLength(2)
})

test('a printer that keeps the connection and says nothing is asked for a word before it is given up', async () => {
  await begin()
  await isIdle()
  peer.printer.setFaults(['lost_link'])
  const { status_reason } = await rig.until(({ status }) => status === 'offline', 'the silence', 25_000)
  expect(status_reason).toBe('the printer says nothing any more')
  expect(sent('start')).toHaveLength(1)
})

test('without a memory card nothing is uploaded, and the reason is told', async () => {
  await begin()
  peer.simulator.override({ home_flag: 0 })
  await isIdle()
  await vi.waitFor(() => expect(rig.driver.upload(rig.makeFile('a.gcode'), soon())).rejects.toThrow('no memory card'), {
    timeout: 15_000,
    interval: 250,
  })
})

test('bytes that are no UTF-8 do not cost the report that they stand in', async () => {
  await begin()
  await isIdle()
  const head = Buffer.from('{"print":{"command":"push_status","msg":1,"nozzle_temper":77,"wifi_name":"')
  peer.simulator.sendRaw(Buffer.concat([head, Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}}')]))
  await rig.until(({ nozzle_temp }) => nozzle_temp === 77, 'the temperature')
})

test('an H2D tells packed temperatures, its chamber and its firmware; its lamps are switched together', async () => {
  await begin({ model: 'H2D', hasAms: true })
  await isIdle()
  await rig.driver.run({ kind: 'heaters', args: { nozzle: 150, bed: 50, chamber: 45 } }, soon())
  await rig.until((state) => state.target_nozzle_temp === 150 && state.target_chamber_temp === 45, 'the targets')
  expect(sent('gcode_line')[0]?.fields.param).toBe('M104 T0 S150\nM140 S50\nM145 P1\nM141 S45\n')
  expect(rig.state).toMatchObject({ filament_type: 'PLA', firmware_version: '01.02.00.00' })
  await rig.driver.run({ kind: 'light', args: { on: true } }, soon())
  expect(sent('ledctrl').map(({ fields }) => fields.led_node)).toEqual(['chamber_light', 'chamber_light2'])
  await expect(rig.driver.startPrint('a.gcode', sampleFile, soon())).rejects.toMatchObject({ code: 'NOT_SUPPORTED' })
})

test('filament is unloaded and loaded again', async () => {
  await begin()
  await isIdle()
  peer.printer.setSpeed(200)
  await rig.driver.run({ kind: 'unload_filament', args: { slot: null, temperature: null } }, soon())
  await rig.until(({ filament_type, status }) => filament_type === null && status === 'idle', 'the empty nozzle')
  await rig.driver.run({ kind: 'load_filament', args: { slot: null, temperature: null } }, soon())
  await rig.until(({ filament_type, status }) => filament_type === 'PLA' && status === 'idle', 'the filament')
  expect(sent('ams_change_filament').map(({ fields }) => fields.target)).toEqual([255, 254])
})

describe('the certificate of the printer', () => {
  test('is kept from the first time on, and another one is refused with what to do', async () => {
    await begin()
    await isIdle()
    await peer.simulator.replaceCertificate()
    const refused = await rig.until(
      ({ status_reason }) => /another certificate/.test(status_reason ?? ''),
      'the refusal',
    )
    expect(refused).toMatchObject({ status: 'offline', status_reason: expect.stringContaining('pinned_fingerprint') })
    const shown = refused.problems?.[0]?.certificate_fingerprint
    expect(refused.problems).toMatchObject([{ reason: 'certificate_changed' }])
    expect(refused.status_reason).toContain(shown)
    await connect({ pinned_fingerprint: shown })
    await isIdle()
    await connect({ pinned_fingerprint: '0'.repeat(64) })
    await rig.until(({ status_reason }) => /another certificate/.test(status_reason ?? ''), 'the second refusal')
  })

  test('is believed when its authority is given, and not when another one is', async () => {
    await begin()
    await isIdle()
    await connect({ ca: peer.simulator.certificate })
    await isIdle()
    await rig.driver.upload(rig.makeFile('a.gcode'), soon())
    const other = await startBambuPeer()
    open.push(other.close)
    await connect({ ca: other.simulator.certificate })
    await rig.until(({ status_reason }) => /no authority that the hub knows/.test(status_reason ?? ''), 'the refusal')
  })

  test('must name the serial, unless an operator allows any', async () => {
    await begin({ serial: '01P00A999999999' })
    await rig.until(({ status_reason }) => /another serial number/.test(status_reason ?? ''), 'the refusal')
    await connect({ allow_any_certificate: true })
    // Its reports are those of another serial: login works, and the refusal is no longer about the certificate.
    const { status_reason } = await rig.until(({ status }) => status === 'offline', 'the next problem')
    expect(status_reason).not.toMatch(/certificate/)
  })
})

test.each([
  [{ serial: '' }, 'serial'],
  [{ access_code: '' }, 'access code'],
  [{ pinned_fingerprint: 'abc' }, 'pinned_fingerprint'],
])('settings without %j are told', async (wrong, word) => {
  peer = await startBambuPeer()
  open.push(peer.close)
  await connect(wrong)
  expect((await rig.until(({ status_reason }) => status_reason !== null, 'the reason')).status_reason).toContain(word)
})
