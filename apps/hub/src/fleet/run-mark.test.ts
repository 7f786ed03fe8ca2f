import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markOf, type RunWatch, SHORTEST_PRINT_MS, SINCE_UNKNOWN, watchOn } from './run-mark.ts'

const run = (file_name: string, job_id: string | null = null): RunIdentity => ({
  file_name,
  job_id,
  attempt_id: null,
})
const buildPicture = (fields: Partial<PrinterState> = {}): PrinterState => ({
  ...unknownPrinterState(''),
  status: 'idle',
  ...fields,
})
const printing = (of: RunIdentity) => buildPicture({ status: 'printing', run: of })
const ended = (of: RunIdentity) => buildPicture({ last_result: { run: of, result: 'completed', reason: null } })
const offline = buildPicture({ status: 'offline' })

/** A hub with one printer, by a clock of its own. */
function watching(remembersLastRun: boolean) {
  let watch: RunWatch | undefined
  let nowMs = 1_000_000
  let epochs = 0
  return {
    see(picture: PrinterState, afterMs = 1_000) {
      nowMs += afterMs
      epochs += 1
      watch = watchOn({ watch, picture, remembersLastRun, nowMs, freshEpoch: `e${epochs}` })
      return markOf(watch, picture, remembersLastRun)
    },
    forget() {
      watch = undefined
    },
    outSince(sinceMs: number) {
      if (watch) watch = { ...watch, unseen_since: sinceMs }
    },
    get watch() {
      return watch
    },
  }
}

describe('a printer that remembers its last run', () => {
  test('is known by it, through its end, other hubs and any time out of sight', () => {
    const hub = watching(true)
    expect(hub.see(buildPicture()).run_mark).toBe('none')
    const { run_mark } = hub.see(printing(run('vase.gcode', '7')))
    expect(run_mark).toBe('7 vase.gcode')
    expect(hub.see(ended(run('vase.gcode', '7'))).run_mark).toBe(run_mark)
    hub.see(offline, 1_000)
    expect(hub.see(ended(run('vase.gcode', '7')), 86_400_000)).toEqual({ run_mark, run_mark_reason: null })
    hub.forget()
    expect(hub.see(ended(run('vase.gcode', '7'))).run_mark).toBe(run_mark)
    expect(hub.see(ended(run('vase.gcode', '8'))).run_mark).not.toBe(run_mark)
  })
})

describe('a printer that forgets', () => {
  test('keeps its mark when it shows no run any more, also after a time too short to print', () => {
    const hub = watching(false)
    const { run_mark } = hub.see(printing(run('vase.gcode')))
    expect(hub.see(ended(run('vase.gcode'))).run_mark).toBe(run_mark)
    expect(hub.see(buildPicture()).run_mark).toBe(run_mark)
    hub.see(offline, 1_000)
    expect(hub.see(buildPicture(), SHORTEST_PRINT_MS - 1).run_mark).toBe(run_mark)
  })

  test('gets another one after a gap, with a sentence that stays until the next run', () => {
    const hub = watching(false)
    const { run_mark } = hub.see(buildPicture())
    hub.see(offline)
    hub.see(offline, 100_000)
    const after = hub.see(buildPicture(), 12 * 60_000 - 100_000)
    expect(after.run_mark).not.toBe(run_mark)
    expect(after.run_mark_reason).toBe('out of sight for 12 minutes; it does not remember what it printed')
    expect(hub.see(buildPicture())).toEqual(after)
    expect(hub.see(printing(run('vase.gcode'))).run_mark_reason).toBeNull()
  })

  test('gets another one after a gap without a sentence when it shows a run that was not known', () => {
    const hub = watching(false)
    const { run_mark } = hub.see(buildPicture())
    hub.see(offline)
    const after = hub.see(ended(run('vase.gcode')), 12 * 60_000)
    expect(after.run_mark).not.toBe(run_mark)
    expect(after.run_mark_reason).toBeNull()
  })

  test('gets another one when the same file is printed again, and none when its picture is told again', () => {
    const hub = watching(false)
    const first = hub.see(printing(run('vase.gcode')))
    hub.see(ended(run('vase.gcode')))
    const second = hub.see(printing(run('vase.gcode')))
    expect(second.run_mark).not.toBe(first.run_mark)
    expect(hub.see(printing(run('vase.gcode')))).toEqual(second)
    expect(hub.see(buildPicture({ status: 'paused', run: run('vase.gcode') }))).toEqual(second)
  })

  test('is asked about when the clock was set back, when no one knows how long it was, and when it is new to the hub', () => {
    const hub = watching(false)
    const first = hub.see(buildPicture())
    expect(first.run_mark_reason).toContain('not watched')
    hub.outSince(999_000_000_000)
    const second = hub.see(buildPicture())
    expect(second.run_mark_reason).toContain('unknown time')
    hub.outSince(SINCE_UNKNOWN)
    const third = hub.see(buildPicture())
    hub.forget()
    const fourth = hub.see(buildPicture())
    expect(new Set([first, second, third, fourth].map(({ run_mark }) => run_mark)).size).toBe(4)
  })
})

describe('the mark', () => {
  test.each([true, false])('is not told while the printer says nothing reliable (remembering: %s)', (remembers) => {
    const hub = watching(remembers)
    hub.see(buildPicture())
    for (const status of ['offline', 'maintenance', 'error'] as const) {
      expect(hub.see(buildPicture({ status })).run_mark).toBeNull()
    }
    expect(hub.see(buildPicture({ run_mark: null })).run_mark).toBeNull()
    expect(hub.see(buildPicture({ run_mark: 'of the driver' })).run_mark).toContain('of the driver')
  })

  test('a driver that does not know yet what was printed leaves its printer out of sight', () => {
    const hub = watching(false)
    const { run_mark } = hub.see(buildPicture())
    hub.see(buildPicture({ run_mark: null }))
    expect(hub.see(buildPicture(), SHORTEST_PRINT_MS).run_mark).not.toBe(run_mark)
  })

  test('an error is in sight: what runs meanwhile would be seen', () => {
    const hub = watching(false)
    const { run_mark } = hub.see(buildPicture())
    hub.see(buildPicture({ status: 'error' }))
    expect(hub.see(buildPicture(), 600_000).run_mark).toBe(run_mark)
  })

  test('fits its frame however long names are, and stays another one for another name', () => {
    const hub = watching(true)
    const long = hub.see(ended(run('a'.repeat(255), 'b'.repeat(300)))).run_mark
    expect(long?.length).toBeLessThanOrEqual(512)
    expect(hub.see(ended(run('a'.repeat(255), `${'b'.repeat(299)}c`))).run_mark).not.toBe(long)
  })
})

/** What happens at a printer, and whether its hub is there to see it. */
type Happening =
  | { kind: 'foreign'; file: string }
  | { kind: 'end' }
  | { kind: 'forget' }
  | { kind: 'hide' }
  | { kind: 'show'; afterMs: number }
  | { kind: 'look' }

const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('foreign' as const), file: fc.constantFrom('a.gcode', 'b.gcode') }),
  fc.constantFrom(
    { kind: 'end' as const },
    { kind: 'forget' as const },
    { kind: 'hide' as const },
    { kind: 'look' as const },
  ),
  fc.record({
    kind: fc.constant('show' as const),
    afterMs: fc.oneof(fc.integer({ min: 0, max: 29_000 }), fc.integer({ min: 30_000, max: 9_000_000 })),
  }),
)

test.each([true, false])(
  'no foreign run, seen or unseen, keeps a mark that was told before (remembering: %s)',
  (remembers) => {
    fc.assert(
      fc.property(fc.array(anyHappening, { maxLength: 40 }), (happenings) => {
        const hub = watching(remembers)
        /** Every mark, with the number of runs that there had been when it was told. */
        const told = new Map<string, number>()
        let runs = 0
        let running: RunIdentity | undefined
        let last: RunIdentity | undefined
        let isHidden = false
        const look = (afterMs: number) => {
          const picture = isHidden ? offline : running ? printing(running) : last ? ended(last) : buildPicture()
          const { run_mark } = hub.see(picture, afterMs)
          if (run_mark === null) return
          expect(told.get(run_mark) ?? runs).toBe(runs)
          told.set(run_mark, runs)
        }
        look(0)
        for (const happening of happenings) {
          if (happening.kind === 'foreign' && !running) {
            runs += 1
            running = run(happening.file, remembers ? String(runs) : null)
            last = running
          } else if (happening.kind === 'end') running = undefined
          else if (happening.kind === 'forget' && !remembers && !running) last = undefined
          else if (happening.kind === 'hide') {
            isHidden = true
          } else if (happening.kind === 'show' && isHidden) {
            // What began out of sight and is over was there for long enough to be a print.
            const isLong = runs > Math.max(0, ...told.values()) && !running
            look(isLong ? Math.max(SHORTEST_PRINT_MS, happening.afterMs) : happening.afterMs)
            isHidden = false
          }
          look(isHidden ? 0 : 1_000)
        }
      }),
      { numRuns: 300 },
    )
  },
)
