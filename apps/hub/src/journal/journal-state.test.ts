import type { AttemptReport } from '@printyard/protocol/attempt'
import { describe, expect, test } from 'vitest'
import { applyRecord, emptyJournalState, type JournalRecord, storeState } from './journal-state.ts'

const identity = { file_name: 'clip-1.gcode', run_id: null, run_before: null }

function attempt(message_id: string, phase: AttemptReport['phase']): JournalRecord {
  const report: AttemptReport = {
    attempt_id: 'att_1',
    printer_id: 'prn_1',
    fence: 1,
    phase,
    outcome: phase === 'finished' ? 'done' : null,
    evidence: { kind: 'journal', run_id: null, detail: null },
    happened_at: '2026-01-01T00:00:00.000Z',
    reason_code: null,
  }
  return { t: 'attempt', message_id, ts: report.happened_at, report, identity }
}

describe('an attempt in the journal', () => {
  test('never goes back when an older report of it is told again', () => {
    const state = emptyJournalState()
    applyRecord(state, attempt('1', 'starting'))
    applyRecord(state, attempt('2', 'transferring'))
    expect(state.attempts.get('att_1')?.report.phase).toBe('starting')
    expect([...state.outbox.keys()]).toEqual(['1', '2'])
  })

  test('keeps the identity of its run when it is told again without', () => {
    const state = emptyJournalState()
    applyRecord(state, attempt('1', 'starting'))
    applyRecord(state, { t: 'run', attempt_id: 'att_1', run_id: 'r7' })
    applyRecord(state, attempt('2', 'starting'))
    expect(state.attempts.get('att_1')?.identity.run_id).toBe('r7')
  })
})

describe('the reports that were acknowledged', () => {
  test('are remembered by their IDs, the last fifty, also after the journal was compacted', () => {
    const state = emptyJournalState()
    const ids = Array.from({ length: 60 }, (_, index) => `m${index}`)
    for (const id of ids) applyRecord(state, attempt(id, 'starting'))
    applyRecord(state, { t: 'ack', ids })
    // Said twice, as when the hub was killed before it wrote down what it was told.
    applyRecord(state, { t: 'ack', ids: ['m0', 'm59', 'never sent'] })
    expect(state.acknowledged).toEqual(ids.slice(-50))
    const compacted = emptyJournalState()
    applyRecord(compacted, { t: 'snapshot', state: storeState(state) })
    expect(compacted.acknowledged).toEqual(ids.slice(-50))
  })
})
