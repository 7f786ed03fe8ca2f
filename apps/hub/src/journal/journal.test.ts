import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AttemptReport } from '@printyard/protocol/attempt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRecordedLog } from '../test/quiet-log.ts'
import { JournalDamagedError, openJournal } from './journal.ts'
import type { JournalRecord } from './journal-state.ts'

let directory: string
let path: string
const log = createRecordedLog()

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'printyard-journal-'))
  path = join(directory, 'journal.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true }))

const command = (n: number, fence = n): JournalRecord => ({
  t: 'command',
  command_id: `cmd_${n}`,
  printer_id: 'prn_1',
  fence,
  kind: 'pause',
  attempt_id: null,
})
const result = (n: number): JournalRecord => ({
  t: 'result',
  message_id: `msg_${n}`,
  ts: '2026-01-01T00:00:00.000Z',
  result: { command_id: `cmd_${n}`, printer_id: 'prn_1', ok: true, code: null, message: null },
})
const attempt = (n: number, phase: AttemptReport['phase']): JournalRecord => ({
  t: 'attempt',
  message_id: `att_msg_${n}_${phase}`,
  ts: '2026-01-01T00:00:00.000Z',
  identity: { file_name: `cube-${n}.gcode`, run_id: null, run_before: null },
  report: {
    attempt_id: `att_${n}`,
    printer_id: 'prn_1',
    fence: n,
    phase,
    outcome: phase === 'finished' ? 'done' : null,
    evidence: { kind: 'journal', run_id: null, detail: null },
    happened_at: '2026-01-01T00:00:00.000Z',
    reason_code: null,
  },
})

describe('journal', () => {
  test('what was appended is known again after it was opened again', async () => {
    const first = await openJournal({ path, log })
    await first.append(command(1), result(1), attempt(1, 'starting'))
    await first.append({ t: 'run', attempt_id: 'att_1', run_id: 'run-7' })
    await first.close()
    const second = await openJournal({ path, log })
    expect(second.state).toEqual(first.state)
    expect(second.state.attempts.get('att_1')?.identity.run_id).toBe('run-7')
    expect(second.state.position).toBe(4)
    await second.close()
  })

  test('the fence of a printer is the highest seen, in whatever order they came', async () => {
    const journal = await openJournal({ path, log })
    await journal.append(command(1, 7), command(2, 3))
    expect(journal.state.fences.get('prn_1')).toBe(7)
    await journal.close()
  })

  test('an acknowledged message leaves the outbox, the others keep their order', async () => {
    const journal = await openJournal({ path, log })
    await journal.append(command(1), result(1), command(2), result(2), attempt(3, 'transferring'))
    journal.appendLazily({ t: 'ack', ids: ['msg_1', 'msg_that_never_was'] })
    await journal.close()
    const again = await openJournal({ path, log })
    expect([...again.state.outbox.keys()]).toEqual(['msg_2', 'att_msg_3_transferring'])
    await again.close()
  })

  test('a torn last line is dropped and the next record stands on a line of its own', async () => {
    const first = await openJournal({ path, log })
    await first.append(command(1))
    await first.close()
    appendFileSync(path, '{"t":"command","command_id":"cmd_2","pri')
    const second = await openJournal({ path, log })
    expect([...second.state.commands.keys()]).toEqual(['cmd_1'])
    await second.append(command(3))
    await second.close()
    const third = await openJournal({ path, log })
    expect([...third.state.commands.keys()]).toEqual(['cmd_1', 'cmd_3'])
    await third.close()
  })

  test('every possible cut of the last record leaves a journal that opens', async () => {
    const first = await openJournal({ path, log })
    await first.append(command(1))
    const keep = statSync(path).size
    await first.append(command(2))
    await first.close()
    const whole = readFileSync(path)
    for (let length = keep; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length))
      const journal = await openJournal({ path, log })
      expect([...journal.state.commands.keys()]).toEqual(['cmd_1'])
      await journal.close()
    }
  })

  test('a damaged line in the middle is refused with its number', async () => {
    const first = await openJournal({ path, log })
    await first.append(command(1), command(2))
    await first.close()
    writeFileSync(path, readFileSync(path, 'utf8').replace('"t":"command"', '"t":"comm\u0000'))
    await expect(openJournal({ path, log })).rejects.toThrow(JournalDamagedError)
    await expect(openJournal({ path, log })).rejects.toThrow('line 1')
  })

  test('a long life stays within bounds and forgets nothing that is open, owed or fenced', async () => {
    const journal = await openJournal({ path, log, compactAboveBytes: 20_000 })
    await journal.append(attempt(0, 'starting'))
    for (let n = 1; n <= 6000; n += 100) {
      const records: JournalRecord[] = []
      for (let i = n; i < n + 100; i += 1) {
        records.push(command(i), result(i), attempt(i, 'finished'))
        records.push({ t: 'ack', ids: i === 1 ? [] : [`msg_${i}`, `att_msg_${i}_finished`] })
      }
      await journal.append(...records)
    }
    await journal.close()
    const again = await openJournal({ path, log })
    expect(again.state.position).toBe(24_001)
    expect(statSync(path).size).toBeLessThan(3_000_000)
    expect(again.state.attempts.get('att_0')?.report.phase).toBe('starting')
    expect([...again.state.outbox.keys()]).toEqual(['att_msg_0_starting', 'msg_1', 'att_msg_1_finished'])
    expect(again.state.commands.has('cmd_1')).toBe(true)
    expect(again.state.commands.has('cmd_2')).toBe(false)
    expect(again.state.fences.get('prn_1')).toBe(6000)
    await again.close()
  })

  test('a journal that cannot be written rejects, keeps its state, and works again when it can', async () => {
    const journal = await openJournal({ path: join(directory, 'sub', 'journal.jsonl'), log })
    rmSync(join(directory, 'sub'), { recursive: true })
    await expect(journal.append(command(1))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' })
    expect(journal.state.commands.size).toBe(0)
    mkdirSync(join(directory, 'sub'))
    await journal.append(command(2))
    expect([...journal.state.commands.keys()]).toEqual(['cmd_2'])
    await journal.close()
  })
})
