import { describe, expect, test } from 'vitest'
import type { FileVersionId, JobId, OrderItemId, PrinterId, SkuId } from '../../../kernel/ids.ts'
import { type FarmFacts, forecastFarm } from './forecast-farm.ts'
import { forecastOrder, type LineFact } from './forecast-order.ts'
import { isNewPromise, leastMoveMs } from './next-promise.ts'

const hourMs = 3_600_000
const id = <T>(text: string) => text as T
const printer = (name: string, model = 'MK4S') => ({ id: id<PrinterId>(name), model })
const file = (name = 'ver_1', fileModel: string | null = 'MK4S') => ({
  fileVersionId: id<FileVersionId>(name),
  fileModel,
})
const job = (name: string, platesLeft = 1, printerId: string | null = null) => ({
  id: id<JobId>(name),
  printerId: id<PrinterId | null>(printerId as string),
  ways: [{ ...file(), plates: platesLeft }],
})
const gap = (item: string, units: number, changes: object = {}) => ({
  orderItemId: id<OrderItemId>(item),
  skuId: id<SkuId>('sku_1'),
  units,
  isDedicated: false,
  recipes: [{ ...file(), unitsPerPlate: 4 }],
  ...changes,
})

/** One printer; every plate takes an hour, or two when it goes badly. */
function farm(changes: Partial<FarmFacts> = {}): FarmFacts {
  return {
    nowMs: 0,
    printers: [printer('prn_a')],
    running: [],
    queued: [],
    gaps: [],
    timeOf: () => ({ p50_seconds: 3_600, p90_seconds: 7_200 }),
    fits: (model, fileModel) => fileModel === null || model === fileModel,
    ...changes,
  }
}

const jobsOf = async (facts: FarmFacts) =>
  Object.fromEntries(
    [...(await forecastFarm(facts)).jobs].map(([jobId, { p50Ms, p90Ms, reason }]) => [
      jobId,
      reason ?? [p50Ms! / hourMs, p90Ms! / hourMs],
    ]),
  )
const gapsOf = async (facts: FarmFacts) =>
  [...(await forecastFarm(facts)).gaps.values()].flatMap((bySku) =>
    [...bySku.values()].map(({ p50Ms, p90Ms, reason }) => reason ?? [p50Ms! / hourMs, p90Ms! / hourMs]),
  )

describe('the forecast of a farm', () => {
  test('jobs follow one another on one printer, and share two', async () => {
    const queued = [job('job_1'), job('job_2', 2), job('job_3')]
    expect(await jobsOf(farm({ queued }))).toEqual({ job_1: [1, 2], job_2: [3, 6], job_3: [4, 8] })
    const printers = [printer('prn_a'), printer('prn_b')]
    expect(await jobsOf(farm({ queued, printers }))).toEqual({ job_1: [1, 2], job_2: [2, 4], job_3: [2, 4] })
  })

  test('a job that prints comes first, with what is left of its plate and its other plates', async () => {
    const running = [
      {
        ...file(),
        id: id<JobId>('job_0'),
        printerId: id<PrinterId>('prn_a'),
        model: 'MK4S',
        startedMs: -hourMs / 2,
        platesLeft: 2,
      },
    ]
    expect(await jobsOf(farm({ running, queued: [job('job_1')] }))).toEqual({ job_0: [1.5, 3.5], job_1: [2.5, 5.5] })
  })

  test('each job has the printer that would end it first, and starts when that is free', async () => {
    const printers = [printer('prn_a'), printer('prn_b')]
    const queued = [job('job_1'), job('job_2', 2), job('job_3'), job('job_4', 1, 'prn_gone')]
    const whereOf = async (facts: FarmFacts) =>
      [...(await forecastFarm(facts)).jobs].map(([jobId, { printerId, startsMs }]) => [
        jobId,
        printerId,
        startsMs === null ? null : startsMs / hourMs,
      ])
    const running = [
      {
        ...file(),
        id: id<JobId>('job_0'),
        printerId: id<PrinterId>('prn_a'),
        model: 'MK4S',
        startedMs: -hourMs / 2,
        platesLeft: 1,
      },
    ]
    expect(await whereOf(farm({ printers, running, queued }))).toEqual([
      ['job_0', 'prn_a', -0.5],
      ['job_1', 'prn_b', 0],
      ['job_2', 'prn_a', 0.5],
      ['job_3', 'prn_b', 1],
      ['job_4', null, null],
    ])
  })

  test('a job that a person gave to a printer waits for that one', async () => {
    const printers = [printer('prn_a'), printer('prn_b')]
    const queued = [job('job_1', 1, 'prn_a'), job('job_2', 1, 'prn_a'), job('job_3')]
    expect(await jobsOf(farm({ printers, queued }))).toEqual({ job_1: [1, 2], job_2: [2, 4], job_3: [1, 2] })
    expect(await jobsOf(farm({ queued: [job('job_1', 1, 'prn_gone')] }))).toEqual({ job_1: 'no_printer' })
  })

  test('the way that ends first is taken, on a model that it is sliced for', async () => {
    const ways = [
      { ...file('ver_slow'), plates: 3 },
      { ...file('ver_mini', 'MINI'), plates: 2 },
    ]
    const queued = [{ ...job('job_1'), ways }]
    expect(await jobsOf(farm({ queued }))).toEqual({ job_1: [3, 6] })
    expect(await jobsOf(farm({ queued, printers: [printer('prn_a'), printer('prn_b', 'MINI')] }))).toEqual({
      job_1: [2, 4],
    })
    expect(await jobsOf(farm({ queued, printers: [printer('prn_x', 'XL')] }))).toEqual({ job_1: 'no_printer' })
  })

  test('what takes an unknown time is unknown itself and holds up nothing; what no print has shown has no p90', async () => {
    const timeOf: FarmFacts['timeOf'] = (version) =>
      version === 'ver_dark' ? undefined : { p50_seconds: 3_600, p90_seconds: version === 'ver_new' ? null : 7_200 }
    const dark = { ...job('job_1'), ways: [{ ...file('ver_dark'), plates: 1 }] }
    const fresh = { ...job('job_3'), ways: [{ ...file('ver_new'), plates: 1 }] }
    const facts = farm({ timeOf, queued: [dark, job('job_2'), fresh, job('job_4')] })
    expect(await jobsOf(facts)).toEqual({
      job_1: 'unknown_print_time',
      job_2: [1, 2],
      job_3: 'too_few_prints',
      job_4: 'too_few_prints',
    })
    expect((await forecastFarm(facts)).jobs.get(id<JobId>('job_4'))).toMatchObject({ p50Ms: 3 * hourMs, p90Ms: null })
  })

  test('what is not queued comes after the queue, and lines share plates in the order of service', async () => {
    const gaps = [gap('itm_1', 2), gap('itm_2', 2), gap('itm_3', 5), gap('itm_4', 4, { isDedicated: true })]
    expect(await gapsOf(farm({ queued: [job('job_1')], gaps }))).toEqual([
      [2, 4],
      [2, 4],
      [4, 8],
      [5, 10],
    ])
    const recipes = [
      { ...file('ver_2', 'XL'), unitsPerPlate: 1 },
      { ...file(), unitsPerPlate: 4 },
    ]
    expect(await gapsOf(farm({ gaps: [gap('itm_1', 2, { recipes }), gap('itm_2', 2, { recipes })] }))).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(await gapsOf(farm({ gaps: [gap('itm_1', 1, { recipes: [] })] }))).toEqual(['no_recipe'])
  })
})

const line = (changes: Partial<LineFact> = {}): LineFact => ({
  skuId: id<SkuId>('sku_1'),
  sku: 'CLIP',
  units: 2,
  plannedUnits: 2,
  reservedUnits: 2,
  blockedBy: [],
  prints: [],
  assembly: undefined,
  ...changes,
})
const prints = [{ p50Ms: 10_000, p90Ms: 20_000, reason: null }]
const printing = line({ reservedUnits: 0, prints })
const blocked = line({ sku: 'VASE', reservedUnits: 0, blockedBy: [{ reason: 'no_recipe', sku: 'VASE' }] })

describe('the forecast of an order', () => {
  test.each([
    ['is ready when all of it is reserved', [line()], { isReady: true, p50Ms: 1_000, p90Ms: 1_000, reason: null }],
    ['is that of its last line', [line(), printing], { isReady: false, p50Ms: 10_000, p90Ms: 20_000 }],
    [
      'has the learnt time to put units together behind the prints',
      [{ ...printing, assembly: { p50Seconds: 3, p90Seconds: 5 } }],
      { p50Ms: 16_000, p90Ms: 30_000 },
    ],
    [
      'is unknown where a line is blocked',
      [printing, blocked],
      { p50Ms: null, p90Ms: null, reason: 'no_recipe', sku: 'VASE' },
    ],
    [
      'names the part that a kit cannot be made for',
      [line({ sku: 'KIT', blockedBy: [{ reason: 'no_recipe', sku: 'HOOK' }] })],
      { reason: 'no_recipe', sku: 'HOOK' },
    ],
    [
      'is unknown where a line is not mapped',
      [blocked, line({ skuId: null, sku: 'X' })],
      { reason: 'unmapped', sku: 'X' },
    ],
    ['is unknown until it is planned whole', [line({ units: 3 })], { reason: 'not_planned', isReady: false }],
    [
      'has no p90 when that of a part is not known',
      [line(), { ...printing, prints: [{ p50Ms: 5_000, p90Ms: null, reason: 'too_few_prints' as const }] }],
      { p50Ms: 5_000, p90Ms: null, reason: 'too_few_prints' },
    ],
  ])('%s', (_what, lines, expected) => {
    expect(forecastOrder(lines, 1_000)).toMatchObject(expected)
  })
})

test('a promise is made once, and again when it moved by four hours onto another day', () => {
  const last = { readyP90Ms: 100 * hourMs, promisedMs: 120 * hourMs }
  const moved = (ready: number, promised: number) => ({
    readyP90Ms: last.readyP90Ms + ready,
    promisedMs: promised * hourMs,
  })
  expect(isNewPromise(undefined, last)).toBe(true)
  expect(isNewPromise(last, moved(leastMoveMs, 120))).toBe(false)
  expect(isNewPromise(last, moved(leastMoveMs - 1, 144))).toBe(false)
  expect(isNewPromise(last, moved(leastMoveMs, 144))).toBe(true)
  expect(isNewPromise(last, moved(-leastMoveMs, 96))).toBe(true)
})
