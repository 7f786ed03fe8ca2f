import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { demoKit, demoProducts, unluckyPrinter } from './demo-farm.ts'
import { type FarmClient, FarmRequestError } from './farm-client.ts'

/** One round of the person on the floor. Slow enough to stay within the limit of one API key. */
const roundMs = 5_000

/** Orders that wait at most: then no other comes in, so that a demo that runs for days stays one to look at. */
const mostOpenOrders = 15

/** Chance per round that a person looks for spools that are nearly used up. */
const refillChance = 0.1
const emptyGrams = 60
const newSpoolGrams = 800

/** Kits that are put together in one round, at most. */
const mostAssembled = 3

/** Chances per round: an order comes in, a person packs one, a person pauses a print to have a look, or lets it go on. */
const orderChance = 0.15
const packChance = 0.15
const pauseChance = 0.03
const resumeChance = 0.15

/** Chance per round that a person comes by and takes a finished print off the plate. */
const collectChance = 0.5

interface Printer {
  id: string
  name: string
  model: string
  status: string
}
interface Job {
  id: string
  status: string
  printer_id: string | null
}
interface Task {
  id: string
  printer_id: string | null
}
interface Order {
  id: string
}
interface Spool {
  id: string
  printer_id: string | null
  remaining_grams: number
}
interface StockItem {
  id: string
  sku: string
  product_sku_id: string
  available: number
}

/**
 * Plays the people of the demo farm through the public API until aborted: takes prints off as the worklist asks for, which
 * lets the next ones start by themselves, takes orders, has queued what they and the shelf still need, packs them, pauses a print
 * now and then. Whatever is refused is tried again in a later round.
 */
export async function workOnTheFloor(farm: FarmClient, log: FastifyBaseLogger, signal: AbortSignal): Promise<void> {
  const seen = new Set<string>()
  while (!signal.aborted) {
    try {
      await workOneRound(farm, seen)
    } catch (error) {
      if (signal.aborted) return
      log.debug({ err: error }, 'the demo farm had a bad round')
    }
    await wait(roundMs, undefined, { signal }).catch(() => undefined)
  }
}

/** `seen`: the printers at which a person has looked already, by ID. */
async function workOneRound(farm: FarmClient, seen: Set<string>): Promise<void> {
  const printers = await farm.get<Printer[]>('/printers?limit=100')
  const jobs = await farm.get<Job[]>('/jobs?limit=100')
  const stock = await farm.get<StockItem[]>('/inventory')

  for (const printer of printers) {
    const running = jobs.find((job) => job.printer_id === printer.id && ['printing', 'paused'].includes(job.status))
    if (printer.status === 'idle' && !seen.has(printer.id)) {
      // What lay there before the farm began is no one's print, and no task asks for it.
      seen.add(printer.id)
      await attempt(farm.post(`/printers/${printer.id}/control`, { action: 'clear_bed' }))
    } else if (printer.status === 'error' && chance(collectChance)) {
      await repair(farm, printer)
    } else if (running?.status === 'printing' && chance(pauseChance)) {
      await attempt(farm.post(`/jobs/${running.id}/pause`))
    } else if (running?.status === 'paused' && chance(resumeChance)) {
      await attempt(farm.post(`/jobs/${running.id}/resume`))
    }
  }
  const waiting = jobs.filter(({ status }) => status === 'queued').length
  if (waiting < printers.length) await attempt(farm.post('/production/produce'))
  await collectPrints(farm, printers)
  if (chance(packChance)) await assembleKits(farm)
  if (chance(refillChance)) await refillSpools(farm)
  if (chance(orderChance)) await takeOrder(farm, stock)
  if (chance(packChance)) await packOrder(farm)
}

/** Puts kits together that were asked for, a few at a time: those that lack a part are tried again in a later round. */
async function assembleKits(farm: FarmClient): Promise<void> {
  const open = await farm.get<Task[]>(`/assembly?kind=kit_assembly&status=pending&limit=${mostAssembled}`)
  for (const { id } of open) await attempt(farm.post(`/assembly/${id}/complete`))
}

/** Puts a new spool in the place of one that is nearly used up. */
async function refillSpools(farm: FarmClient): Promise<void> {
  const spools = await farm.get<Spool[]>('/materials/filament?limit=100')
  for (const { id, printer_id, remaining_grams } of spools) {
    if (printer_id === null || remaining_grams > emptyGrams) continue
    await attempt(farm.post(`/materials/filament/${id}/restock`, { quantity: newSpoolGrams }))
  }
}

/** Takes finished prints off. What a printer in error has on its plate comes off when it is fixed. */
async function collectPrints(farm: FarmClient, printers: Printer[]): Promise<void> {
  const inError = new Set(printers.filter(({ status }) => status === 'error').map(({ id }) => id))
  const tasks = await farm.get<Task[]>('/worklist?task_type=collection&status=pending&limit=100')
  for (const { id, printer_id } of tasks) {
    if (printer_id !== null && inError.has(printer_id)) continue
    if (chance(collectChance)) await attempt(farm.put(`/worklist/${id}/status`, { status: 'completed' }))
  }
}

/** Prices of the demo, in cents by a word of the SKU's code; it says nothing about who ordered. */
const priceCents: Record<string, number> = {
  BRACKET: 690,
  CABLEBOX: 2490,
  BRACKETS: 1290,
  SIGN: 1490,
  CLIPS: 390,
  HOOK: 790,
  DESKSET: 3190,
}

/** What the shop offers. Parts of kits are not sold alone, and the coat rail waits for a recipe. */
const offered = new Set<string>([...demoProducts, demoKit].map(({ sku }) => sku))

async function takeOrder(farm: FarmClient, stock: StockItem[]): Promise<void> {
  const { pending_fulfillment: open } = await farm.get<{ pending_fulfillment: number }>('/orders/stats')
  // What the shop shows as sold out is ordered less: the printers of one product would be late for ever, and all others idle.
  const wanted = stock.filter(({ sku, available }) => offered.has(sku) && chance(available > 0 ? 0.4 : 0.1)).slice(0, 3)
  if (wanted.length === 0 || open >= mostOpenOrders) return
  await attempt(
    farm.post('/orders', {
      platform: 'other',
      items: wanted.map((item) => ({
        product_sku_id: item.product_sku_id,
        quantity: 1 + Math.floor(Math.random() * 3),
        unit_price: priceCents[item.sku.split('-')[0] ?? ''] ?? 990,
      })),
    }),
  )
}

/** Packs the oldest open order with what is on the shelf; what is missing is packed another time. */
async function packOrder(farm: FarmClient): Promise<void> {
  const open = await farm.get<Order[]>('/orders?status=pending&limit=100')
  const oldest = open.at(-1)
  if (oldest) await attempt(farm.post(`/orders/${oldest.id}/fulfill`))
}

/** The fault of the unlucky printer is fixed, and its spoilt print is taken off. */
async function repair(farm: FarmClient, printer: Printer): Promise<void> {
  if (printer.name === unluckyPrinter) await attempt(farm.patch(`/printers/${printer.id}`, { connection: {} }))
  await attempt(farm.post(`/printers/${printer.id}/control`, { action: 'clear_bed', seen_over: true }))
}

/** What the farm refuses at this moment is no failure of the demo; anything else is. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof FarmRequestError)) throw error
  }
}

function chance(probability: number): boolean {
  return Math.random() < probability
}
