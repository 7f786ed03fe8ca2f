import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createHub } from './hub.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { mountSmallDisk } from './test/small-disk.ts'
import { buildConfig, makeDataDir, quickTimings, startsAt } from './test/test-hub.ts'
import { PRINTER, startTestService } from './test/test-service.ts'

const dataDir = makeDataDir()
const unmount = mountSmallDisk(dataDir.path, '1m')

test.skipIf(!unmount)(
  'a full disk refuses commands before anything moves, and takes them again when it has room',
  async () => {
    const service = await startTestService()
    const log = createRecordedLog()
    const hub = createHub(buildConfig(service, { dataDir: dataDir.path }), {
      log,
      timings: { ...quickTimings, heartbeatMs: 50 },
    })
    const filler = join(dataDir.path, 'filler')
    const fill = () => {
      const { bavail, bsize } = statfsSync(dataDir.path)
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    }
    /** In the rest of its last page the journal finds room on the fullest disk. */
    const fillPage = async () => {
      for (let tries = 0; tries < 40; tries += 1) {
        const { code } = await service.resultOf(service.command('light', { on: false }))
        if (code === 'JOURNAL_FAILED') return
      }
      throw new Error('the disk is not full')
    }
    try {
      await hub.start()
      await service.until(() => service.pictureOf(PRINTER).status === 'idle', 'the printer to be idle')
      fill()
      await fillPage()
      const file = service.serve('cube.gcode', { content: Buffer.from('G28\n'.repeat(500)) })
      const refused = service.command('print', { attempt_id: 'att_1', file })
      expect(await service.resultOf(refused)).toMatchObject({ ok: false, code: 'JOURNAL_FAILED' })
      const dark = service.command('light', { on: true })
      expect(await service.resultOf(dark)).toMatchObject({ ok: false, code: 'JOURNAL_FAILED' })
      expect(service.pictureOf(PRINTER).light_on).toBe(false)
      expect(service.fileRequests).toEqual([])
      const isSaid = () => service.ofType('heartbeat').at(-1)?.problems?.[0]?.reason === 'hub_storage_full'
      await service.until(isSaid, 'the hub to say that its disk is full')
      rmSync(filler)
      // Before any command: the service gives none while the hub says that it cannot take one.
      await service.until(() => !isSaid(), 'the hub to say that its disk has room')
      service.command('print', { attempt_id: 'att_2', file })
      expect(await service.reachesPhase('att_2', 'finished')).toMatchObject({ outcome: 'done' })
      expect(startsAt(dataDir.path)).toBe(1)
    } finally {
      await hub.stop()
      await service.stop()
      unmount?.()
      dataDir.remove()
    }
  },
)
