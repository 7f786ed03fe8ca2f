import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { demoKit, demoProducts, unluckyPrinter } from './demo-farm.ts'
import { type FarmClient, FarmRequestError } from './farm-client.ts'

/** One round of the person on the floor. Slow enough to stay within the limit of one API key. */
const roundMs = 5_000

/** Prints queued ahead for each printer. */
const queuedAhead = 2

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
interface PrintFile {
  id: string
  name: string
}
interface Order {
  id: string
}
interface StockItem {
  id: string
  sku: string
  product_sku_id: string
  ready_stock: number
}

/**
 * Plays the people of the demo farm through the public API until aborted: takes prints off as the worklist asks for, which
 * lets the next ones start by themselves, queues more, takes and packs orders, pauses a print now and then. Whatever is
 * refused is tried again in a later round.
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
  const files = await farm.get<PrintFile[]>('/files?limit=100')
  const stock = await farm.get<StockItem[]>('/inventory')

  for (const printer of printers) {
    const queued = jobs.filter((job) => job.printer_id === printer.id && job.status === 'queued')
    const running = jobs.find((job) => job.printer_id === printer.id && ['printing', 'paused'].includes(job.status))
    if (queued.length < queuedAhead) await queueJob(farm, printer, files, stock)
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
  await collectPrints(farm, printers)
  if (chance(packChance)) await assembleKits(farm, stock)
  if (chance(orderChance)) await takeOrder(farm, stock)
  if (chance(packChance)) await packOrder(farm)
}

/** Puts kits together that were asked for, and asks for one more while the shelf has too few and there is what it takes. */
async function assembleKits(farm: FarmClient, stock: StockItem[]): Promise<void> {
  const open = await farm.get<Task[]>('/assembly?kind=kit_assembly&status=pending')
  for (const { id } of open) await attempt(farm.post(`/assembly/${id}/complete`))
  const kit = stock.find((entry) => entry.sku === demoKit.sku)
  if (kit && kit.ready_stock <= demoKit.threshold) {
    await attempt(farm.post(`/skus/${kit.product_sku_id}/assemble`, { quantity: 1 }))
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

async function queueJob(farm: FarmClient, printer: Printer, files: PrintFile[], stock: StockItem[]): Promise<void> {
  const product = demoProducts.find((item) => item.model === printer.model)
  const file = files.find((entry) => entry.name === product?.file)
  const item = stock.find((entry) => entry.sku === product?.sku)
  if (!product || !file || !item) return
  await attempt(
    farm.post('/jobs', {
      print_file_id: file.id,
      printer_id: printer.id,
      product_sku_id: item.product_sku_id,
      number_of_units: product.perPlate,
      quantity_per_print: product.perPlate,
    }),
  )
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

async function takeOrder(farm: FarmClient, stock: StockItem[]): Promise<void> {
  const wanted = stock.filter(() => chance(0.4)).slice(0, 3)
  if (wanted.length === 0) return
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
