import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { accessCode, type BambuPeer, serial, startBambuPeer } from '../../test/bambu-peer.ts'
import { createBambuFtps } from './bambu-ftps.ts'
import { openBambuMqtt } from './bambu-mqtt.ts'
import { sameCertificate, type Trust } from './printer-trust.ts'

let peer: BambuPeer
let folder: string
const soon = () => AbortSignal.timeout(20_000)

beforeEach(async () => {
  peer = await startBambuPeer()
  folder = mkdtempSync(join(tmpdir(), 'printyard-bambu-'))
})
afterEach(async () => {
  await peer.close()
  rmSync(folder, { recursive: true, force: true })
})

function makeFile(bytes = 300_000, fileName = 'plate.gcode') {
  const path = join(folder, fileName)
  writeFileSync(path, Buffer.alloc(bytes, 'G1 X1 Y1\n'))
  return { path, size_bytes: bytes, file_name: fileName }
}

function ftpsOf({
  code = accessCode,
  allowsClearData = false,
  trust = { kind: 'pinned', fingerprint: '' } as Trust,
} = {}) {
  return createBambuFtps({
    host: '127.0.0.1',
    port: peer.simulator.ftpsPort,
    accessCode: code,
    tls: () => sameCertificate(serial, trust, peer.simulator.certificate),
    allowsClearData: () => allowsClearData,
  })
}

const stored = () => peer.printer.listFiles(soon())

describe('an upload', () => {
  test('is whole, over a data connection that goes on with the session of the control connection', async () => {
    await ftpsOf().upload(makeFile(), soon())
    expect(await stored()).toEqual([{ fileName: 'plate.gcode', sizeBytes: 300_000 }])
  })

  test('replaces the file of that name', async () => {
    await ftpsOf().upload(makeFile(50_000), soon())
    await ftpsOf().upload(makeFile(70_000), soon())
    expect(await stored()).toEqual([{ fileName: 'plate.gcode', sizeBytes: 70_000 }])
  })

  test('that is said to have failed and is all there has worked', async () => {
    peer.simulator.ftps.liesAboutTransfers = true
    await ftpsOf().upload(makeFile(), soon())
    expect(await stored()).toHaveLength(1)
  })

  test('that breaks off leaves nothing behind', async () => {
    peer.printer.setFaults(['half_upload'])
    await expect(ftpsOf().upload(makeFile(), soon())).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
    expect(await stored()).toEqual([])
  })

  test('waits for a last word that comes late', async () => {
    peer.simulator.ftps.answerDelayMs = 2_000
    await ftpsOf().upload(makeFile(), soon())
    expect(await stored()).toHaveLength(1)
  })

  test.each([
    [553, 'memory card', 'storage_faulty'],
    [552, 'no space', 'storage_full'],
  ])('that is answered with %i is refused and says why', async (code, word, reason) => {
    peer.simulator.ftps.refusesUploads = code
    await expect(ftpsOf().upload(makeFile(), soon())).rejects.toMatchObject({
      code: 'REFUSED',
      message: expect.stringContaining(word),
      problem: { reason },
    })
  })

  test('with a wrong access code is refused, and the code is told no one', async () => {
    const error: Error = await ftpsOf({ code: '87654321' })
      .upload(makeFile(), soon())
      .catch((reason) => reason)
    expect(error).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('credentials refused') })
    expect(error).toMatchObject({ problem: { reason: 'credentials_wrong' } })
    expect(error.message).not.toContain('87654321')
  })

  test('goes without TLS on the data connection only to models that cannot do it', async () => {
    peer.simulator.ftps.clearDataOnly = true
    await expect(ftpsOf().upload(makeFile(), soon())).rejects.toMatchObject({ code: 'UPLOAD_BROKEN' })
    expect(peer.simulator.ftpsCommands).not.toContain('PROT C')
    await ftpsOf({ allowsClearData: true }).upload(makeFile(), soon())
    expect(await stored()).toEqual([{ fileName: 'plate.gcode', sizeBytes: 300_000 }])
  })

  test('that is given up ends at once with the reason, and the next one works', async () => {
    peer.printer.setFaults(['slow_file_store'])
    const giveUp = new AbortController()
    const ftps = ftpsOf()
    const given = ftps.upload(makeFile(), giveUp.signal)
    await vi.waitFor(() => expect(peer.simulator.ftpsCommands).toContain('STOR plate.gcode'), { timeout: 10_000 })
    giveUp.abort(new Error('no longer wanted'))
    await expect(given).rejects.toThrow('no longer wanted')
    peer.printer.setFaults([])
    await vi.waitFor(() => ftps.upload(makeFile(), soon()), { timeout: 20_000, interval: 200 })
    expect(await stored()).toEqual([{ fileName: 'plate.gcode', sizeBytes: 300_000 }])
  })

  test('to a server with another certificate sends nothing', async () => {
    const other = await startBambuPeer()
    try {
      const trust: Trust = { kind: 'ca', ca: other.simulator.certificate }
      await expect(ftpsOf({ trust }).upload(makeFile(), soon())).rejects.toBeInstanceOf(Error)
      expect(peer.simulator.ftpsCommands).toEqual([])
    } finally {
      await other.close()
    }
  })
})

describe('files that are asked for at once', () => {
  test('go to and from the printer one after the other, in the order of asking', async () => {
    peer.simulator.ftps.answerDelayMs = 300
    const ftps = ftpsOf()
    await ftps.upload(makeFile(10_000, 'old.gcode'), soon())
    await Promise.all([
      ftps.upload(makeFile(300_000, 'one.gcode'), soon()),
      ftps.remove('old.gcode', soon()),
      ftps.upload(makeFile(200_000, 'two.gcode'), soon()),
    ])
    expect(await stored()).toEqual([
      { fileName: 'one.gcode', sizeBytes: 300_000 },
      { fileName: 'two.gcode', sizeBytes: 200_000 },
    ])
    expect(peer.simulator.mostFilesAtOnce).toBe(1)
    const asked = ['STOR one.gcode', 'SIZE one.gcode', 'DELE old.gcode', 'STOR two.gcode', 'SIZE two.gcode']
    const seen = peer.simulator.ftpsCommands.slice(peer.simulator.ftpsCommands.indexOf('STOR one.gcode'))
    expect(seen.filter((command) => asked.includes(command))).toEqual(asked)
  })

  test('of which one fails do not keep the next from its turn', async () => {
    peer.simulator.ftps.refusesUploads = 553
    const ftps = ftpsOf()
    const refused = ftps.upload(makeFile(300_000, 'one.gcode'), soon()).catch((error: unknown) => {
      peer.simulator.ftps.refusesUploads = null
      throw error
    })
    await Promise.all([
      expect(refused).rejects.toMatchObject({ code: 'REFUSED' }),
      ftps.upload(makeFile(200_000, 'two.gcode'), soon()),
    ])
    expect(await stored()).toEqual([{ fileName: 'two.gcode', sizeBytes: 200_000 }])
  })

  test('of which one is given up before its turn leave the file of that name alone', async () => {
    peer.simulator.ftps.answerDelayMs = 300
    const ftps = ftpsOf()
    const giveUp = new AbortController()
    const first = ftps.upload(makeFile(300_000), soon())
    const given = ftps.upload(makeFile(300_000), giveUp.signal)
    giveUp.abort(new Error('no longer wanted'))
    await expect(given).rejects.toThrow('no longer wanted')
    await first
    expect(await stored()).toEqual([{ fileName: 'plate.gcode', sizeBytes: 300_000 }])
  })
})

test('a file that is not there is removed without complaint', async () => {
  await expect(ftpsOf().remove('nothing.gcode', soon())).resolves.toBeUndefined()
})

test('two commands in a row without an answer end the connection, although reports go on', async () => {
  let reports = 0
  const link = await openBambuMqtt({
    host: '127.0.0.1',
    port: peer.simulator.mqttPort,
    serial,
    accessCode,
    trust: { kind: 'ca', ca: peer.simulator.certificate },
    answerTimeoutMs: 1_000,
    signal: soon(),
    onMessage: () => {
      reports += 1
    },
  })
  peer.simulator.setDeaf(true)
  const ask = () => link.ask('print', 'pause', { param: '' }, soon())
  await expect(ask()).rejects.toMatchObject({ code: 'NO_ANSWER' })
  const before = reports
  await vi.waitFor(() => expect(reports).toBeGreaterThan(before), { timeout: 10_000 })
  await expect(ask()).rejects.toMatchObject({ code: 'NO_ANSWER' })
  expect(await link.closed).toContain('answers no commands')
  await expect(ask()).rejects.toMatchObject({ code: 'UNREACHABLE' })
})
