import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileVersionId, JobId, PrinterId } from '../../kernel/ids.ts'
import { farmFacts, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import type { FarmFacts, HeatingGroup, JobFacts, PrinterFacts } from '../matching/farm-facts.ts'
import { canStart } from '../matching/judge.ts'
import { createPlan, type Match } from './plan.ts'

/** The plan for a queue that is there as a whole. */
const planStarts = (printers: readonly PrinterFacts[], jobs: readonly JobFacts[], farm: FarmFacts) =>
  createPlan(printers, farm).add(jobs)

const pairs = (matches: Match[]) => matches.map(({ job, printer }) => `${job.id}→${printer.id}`)

describe('the choice', () => {
  test('the job that is first in the queue gets the only printer', () => {
    const jobs = [jobFacts({ id: 'b' as JobId, queue_position: 2 }), jobFacts({ id: 'a' as JobId, queue_position: 1 })]
    expect(pairs(planStarts([printerFacts()], jobs, farmFacts()))).toEqual(['a→prn_1'])
  })

  test('a job that nothing fits holds up no one', () => {
    const jobs = [jobFacts({ id: 'a' as JobId, file_model: 'P1S' }), jobFacts({ id: 'b' as JobId, queue_position: 2 })]
    expect(pairs(planStarts([printerFacts()], jobs, farmFacts()))).toEqual(['b→prn_1'])
  })

  test('of printers that fit, the one that has loaded what is named, though any will do, comes before the least used', () => {
    const printers = [
      printerFacts({ id: 'new' as PrinterId, color: 'Red' }),
      printerFacts({ id: 'used' as PrinterId, color: 'Black', total_print_seconds: 900 }),
    ]
    const job = jobFacts({ color: 'black', any_color: true })
    expect(pairs(planStarts(printers, [job], farmFacts()))).toEqual(['job_1→used'])
  })

  test('a job of several ways takes the preferred one that a printer fits, unless another printer has loaded what is named', () => {
    const way = (option: number, file_model: string, color = '') =>
      jobFacts({ option, file_model, color, file_version_id: `ver_${option}` as FileVersionId })
    const job = { ...way(1, 'P1S'), alternatives: [way(0, 'MK4S'), way(2, 'MINI')] }
    const printer = (model: string, color = 'Black') => printerFacts({ id: model as PrinterId, model, color })
    const taken = (printers: PrinterFacts[], asked = job) =>
      planStarts(printers, [asked], farmFacts()).map((match) => [match.printer.id, match.job.file_version_id])
    expect(taken([printer('P1S'), printer('MK4S'), printer('MINI')])).toEqual([['MK4S', 'ver_0']])
    expect(taken([printer('MINI'), printer('P1S')])).toEqual([['P1S', 'ver_1']])
    expect(taken([printer('XL')])).toEqual([])
    const red = { ...way(0, 'MK4S', 'Red'), alternatives: [way(1, 'P1S', 'Red')] }
    expect(taken([printer('MK4S'), printer('P1S', 'Red')], red)).toEqual([['P1S', 'ver_1']])
  })

  test('of equals the least used prints', () => {
    const printers = [
      printerFacts({ id: 'p1' as PrinterId, total_print_seconds: 20 }),
      printerFacts({ id: 'p2' as PrinterId, total_print_seconds: 10 }),
    ]
    expect(pairs(planStarts(printers, [jobFacts()], farmFacts()))).toEqual(['job_1→p2'])
  })

  test('a job that a person gave to a printer goes there, however used it is', () => {
    const printers = [
      printerFacts({ id: 'p1' as PrinterId }),
      printerFacts({ id: 'p2' as PrinterId, total_print_seconds: 10 }),
    ]
    expect(pairs(planStarts(printers, [jobFacts({ assigned_printer_id: 'p2' as PrinterId })], farmFacts()))).toEqual([
      'job_1→p2',
    ])
  })

  test('of a power group no more begin than may heat at once', () => {
    const printers = ['p1', 'p2', 'p3'].map((id) => printerFacts({ id: id as PrinterId, power_group: 'A' }))
    const jobs = ['a', 'b', 'c'].map((id) => jobFacts({ id: id as JobId }))
    const farm = farmFacts({ heatingAtOnce: 2, heatingGroups: new Map([['A', { heating: 0, lastStartAt: null }]]) })
    expect(pairs(planStarts(printers, jobs, farm))).toEqual(['a→p1', 'b→p2'])
  })
})

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values)
const maybe = { freq: 4 }
const printers = fc
  .array(
    fc.record(
      {
        is_active: oneOf(true, true, true, false),
        in_maintenance: oneOf(false, false, false, true),
        auto_start: oneOf(true, true, true, false),
        hub_online: oneOf(true, true, true, false),
        status: oneOf('idle' as const, 'idle' as const, 'printing' as const, null),
        plate_state: oneOf('clear' as const, 'clear' as const, 'occupied' as const, 'unknown' as const),
        has_live_attempt: oneOf(false, false, true),
        model: oneOf('MK4S', 'Prusa MK4S', 'P1S'),
        nozzle_size: oneOf(0.4, 0.6, null),
        filament_type: oneOf('PLA', 'PETG', ''),
        color: oneOf('Black', 'Red', ''),
        color_hex: oneOf('', '#000000', '#FF0000'),
        loaded_filament_grams: oneOf(null, 10, 100),
        volume_mm: oneOf(null, [250, 210, 100] as const, [250, 210, 200] as const),
        power_group: oneOf('', 'A', 'B'),
        total_print_seconds: fc.nat(3),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 14 },
  )
  .map((changes) => changes.map((change, index) => printerFacts({ id: `prn_${index}` as PrinterId, ...change })))
const jobs = fc
  .array(
    fc.record(
      {
        assigned_printer_id: fc.option(oneOf(...(['prn_0', 'prn_1', 'prn_x'] as PrinterId[])), maybe),
        file_model: oneOf(null, 'MK4S', 'C12'),
        nozzle_diameter: oneOf(null, 0.4),
        filament_type: oneOf('', 'pla', 'PETG'),
        color: oneOf('', 'black', '#FF0000'),
        any_color: fc.boolean(),
        grams_per_plate: oneOf(null, 5, 50),
        height_mm: oneOf(null, 50, 150),
        plate_seconds: oneOf(null, 600, 30_000),
        priority_rank: fc.nat(3),
        due_date: fc.option(oneOf(new Date('2026-12-01'), new Date('2026-12-02')), maybe),
        queue_position: fc.nat(4),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 14 },
  )
  .map((changes) => changes.map((change, index) => jobFacts({ id: `job_${index}` as JobId, ...change })))
const farms = fc
  .record({ heatingAtOnce: oneOf(null, 1, 2), heatingGapSeconds: oneOf(null, 60), isLimited: fc.boolean() })
  .map(({ isLimited, ...limits }) =>
    farmFacts({
      ...limits,
      colorHexByName: new Map([['black', '#000000']]),
      heatingGroups: new Map(['A', 'B'].map((name) => [name, { heating: 0, lastStartAt: null }])),
      workingHours: isLimited ? { timeZone: 'UTC', days: [1], fromMinute: 480, toMinute: 1080 } : null,
    }),
  )

/** The farm after a printer has started to heat. */
function afterStart(farm: FarmFacts, { printer }: Match): FarmFacts {
  const heatingGroups = new Map<string, HeatingGroup>(farm.heatingGroups)
  const group = heatingGroups.get(printer.power_group)
  if (group) heatingGroups.set(printer.power_group, { heating: group.heating + 1, lastStartAt: farm.now })
  return { ...farm, heatingGroups }
}

describe('whatever the farm', () => {
  test('no plan breaks a hard rule, gives a printer two jobs, or starts a job twice', () => {
    fc.assert(
      fc.property(printers, jobs, farms, (printers, jobs, farm) => {
        const matches = planStarts(printers, jobs, farm)
        let then = farm
        for (const match of matches) {
          expect(canStart(match.printer, match.job, then)).toBe(true)
          then = afterStart(then, match)
        }
        expect(new Set(matches.map(({ printer }) => printer.id)).size).toBe(matches.length)
        expect(new Set(matches.map(({ job }) => job.id)).size).toBe(matches.length)
      }),
    )
  })

  test('no printer is left free that a job left waiting could have', () => {
    fc.assert(
      fc.property(printers, jobs, farms, (printers, jobs, farm) => {
        const matches = planStarts(printers, jobs, farm)
        const then = matches.reduce(afterStart, farm)
        const taken = new Set(matches.flatMap(({ job, printer }) => [job.id, printer.id]))
        const missed = printers.flatMap((printer) =>
          jobs.filter((job) => !taken.has(printer.id) && !taken.has(job.id) && canStart(printer, job, then)),
        )
        expect(missed).toEqual([])
      }),
    )
  })

  test('the plan is the same in whatever order printers and jobs come', () => {
    const shuffled = fc
      .tuple(printers, jobs)
      .chain(([printers, jobs]) =>
        fc.tuple(
          fc.constant(printers),
          fc.constant(jobs),
          fc.shuffledSubarray(printers, { minLength: printers.length }),
          fc.shuffledSubarray(jobs, { minLength: jobs.length }),
        ),
      )
    fc.assert(
      fc.property(shuffled, farms, ([printers, jobs, otherPrinters, otherJobs], farm) => {
        expect(pairs(planStarts(otherPrinters, otherJobs, farm))).toEqual(pairs(planStarts(printers, jobs, farm)))
      }),
    )
  })
})
