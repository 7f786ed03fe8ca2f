import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { VirtualPrinterEvent } from '../virtual-printer.ts'
import { openStateLog, thinEvents } from './state-log.ts'

interface State {
  a: number
  b: string
}

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'state-log-'))
  path = join(folder, 'deep', 'printer.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function event(at: number, kind: VirtualPrinterEvent['kind']): VirtualPrinterEvent {
  return { at, kind, fileName: null, runId: null, detail: null }
}

test('what was appended is read again, the newest value of each part', () => {
  const log = openStateLog<State>(path)
  log.append({ a: 1, b: 'x' }, [event(1, 'powered_on')])
  log.append({ a: 2 }, [])
  log.append({}, [event(2, 'started')])
  expect(openStateLog<State>(path).stored).toEqual({
    state: { a: 2, b: 'x' },
    events: [event(1, 'powered_on'), event(2, 'started')],
  })
})

test('a last line torn at any byte is forgotten, and what is appended next is whole', () => {
  const log = openStateLog<State>(path)
  log.append({ a: 1, b: 'ü' }, [event(1, 'started')])
  const whole = readFileSync(path)
  const line = Buffer.from('{"state":{"a":9,"b":"größer"}}\n')
  for (let bytes = 0; bytes < line.length; bytes++) {
    writeFileSync(path, Buffer.concat([whole, line.subarray(0, bytes)]))
    const again = openStateLog<State>(path)
    expect(again.stored.state).toEqual({ a: 1, b: 'ü' })
    again.append({ a: 3 }, [])
    expect(openStateLog<State>(path).stored.state).toEqual({ a: 3, b: 'ü' })
  }
})

test('damage before the last line is named with its line, not passed over', () => {
  const log = openStateLog<State>(path)
  log.append({ a: 1 }, [])
  appendFileSync(path, '{"state":\n')
  log.append({ a: 2 }, [])
  expect(() => openStateLog<State>(path)).toThrow(/line 2/)
})

test('a file that grew is overdue, and rewriting makes it small without losing anything', () => {
  const log = openStateLog<State>(path)
  for (let index = 0; index < 10_000 && !log.isOverdue; index++) log.append({ b: 'x'.repeat(200) }, [])
  expect(log.isOverdue).toBe(true)
  log.rewrite({ a: 5, b: 'y' }, [event(1, 'started')])
  expect(log.isOverdue).toBe(false)
  expect(statSync(path).size).toBeLessThan(1_000)
  expect(openStateLog<State>(path).stored).toEqual({ state: { a: 5, b: 'y' }, events: [event(1, 'started')] })
})

test('thinning keeps every start and the newest events, in order', () => {
  const events = [
    event(1, 'started'),
    event(2, 'completed'),
    event(3, 'started_on_occupied_plate'),
    event(4, 'refused'),
    event(5, 'paused'),
    event(6, 'resumed'),
  ]
  expect(thinEvents(events, 2).map(({ at }) => at)).toEqual([1, 3, 5, 6])
})
