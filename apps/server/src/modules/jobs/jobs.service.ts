import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { isMissingValue } from '../../db/database-errors.ts'
import { AppError, notFound, validationError } from '../../kernel/errors.ts'
import {
  type AccountId,
  type JobId,
  newId,
  type OrderItemId,
  type PrinterId,
  type PrintFileId,
  type ProductId,
  type RecipeId,
  type SkuId,
} from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { isSlicedFor, refuseOtherModel } from '../matching/sliced-for.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { type FileMemory, rememberFiles } from './file-memory.ts'
import type { JobPriority } from './job-priority.ts'
import { isActionPossible, type JobAction, platesNeeded } from './job-state.ts'
import {
  type FileForJob,
  findFileForJob,
  findJob,
  findPrinterForJob,
  findProductName,
  findSkuForJob,
  insertJob,
  type JobDetailRow,
  type SkuForJob,
} from './jobs.queries.ts'
import { insertOptions, type JobOption } from './outputs/job-options.queries.ts'
import { insertMainOutput } from './outputs/job-outputs.queries.ts'
import { listModelsInUse, listWaysToMake, type WayToMake } from './outputs/ways-to-make.queries.ts'

/** A way to make a SKU, or the file that the caller names, which is made by no recipe. */
type WayOfJob = Omit<WayToMake, 'recipe_id'> & { recipe_id: RecipeId | null }

interface EnqueueInput {
  /** Left out, the recipes of the SKU say what is printed. */
  print_file_id?: PrintFileId
  /** The one recipe of the SKU that counts. */
  recipe_id?: RecipeId
  /** Recipes of the SKU that count. */
  recipe_ids?: readonly RecipeId[]
  printer_id?: PrinterId
  product_id?: ProductId
  product_sku_id?: SkuId
  color?: string
  filament_type?: string
  material_type?: string
  number_of_units: number
  quantity_per_print: number
  /** Default: as the product of the SKU. */
  requires_assembly?: boolean
  priority?: JobPriority
  due_date?: string
  any_color?: boolean
  /** What it yields is for this order item alone. */
  order_item_id?: OrderItemId
}

/** What an `integer` column takes. */
const mostMinutes = 2_147_483_647

/** Materials that a file without any says it is printed in. */
const defaultMaterial = 'PLA'

export async function getJob(sql: Sql, accountId: AccountId, jobId: JobId): Promise<JobDetailRow> {
  const job = await findJob(sql, accountId, jobId)
  if (!job) throw notFound('job')
  return job
}

/**
 * Queues a job of a print file, or of a SKU alone: then in each way in which its recipes make it, and the printer that takes it
 * decides. What the caller leaves out comes from the SKU, then from the file. Checked in this order: file, printer, product, SKU,
 * recipes, model.
 *
 * @param closing what ends the transaction of the work, where it changes nothing but this: then it may all be one statement.
 */
export async function enqueueJob(
  context: Context,
  work: Work,
  input: EnqueueInput,
  closing?: Sql,
): Promise<JobDetailRow> {
  const { sql, accountId } = work
  await requireRoom(context, sql, accountId, 'jobs')
  // Memory knows nothing of what a transaction has changed so far.
  const files = closing
    ? context.memory.hold(rememberFiles, context)
    : { find: (account: AccountId, fileId: PrintFileId) => findFileForJob(sql, account, fileId) }
  const file = await findNamedFile(files, accountId, input)
  const { printer_id: printerId, product_id: productId, product_sku_id: skuId } = input
  const printer = printerId === undefined ? undefined : await findPrinterForJob(sql, accountId, printerId)
  if (printerId !== undefined && !printer) throw new AppError('PRINTER_NOT_FOUND')
  const givenProductName = productId === undefined ? undefined : await findProductName(sql, accountId, productId)
  if (productId !== undefined && givenProductName === undefined) throw new AppError('PRODUCT_NOT_FOUND')
  const sku = skuId === undefined ? undefined : await findSkuForJob(sql, accountId, skuId)
  if (skuId !== undefined && !sku) throw new AppError('SKU_NOT_FOUND')
  if (file && !file.is_sliced) throw new AppError('FILE_NOT_SLICED', { name: file.name })
  const ways = file
    ? [{ ...file, recipe_id: null, units_per_plate: input.quantity_per_print, also_makes: [] }]
    : await findWays(work, sku, input.recipe_ids ?? (input.recipe_id && [input.recipe_id]), printer?.model)
  if (printer) refuseOtherModel(printer.model, ways[0]?.printer_model ?? null)
  const options = ways.map((way) => optionOf(way, sku, input)).filter(isPrintable)
  const [first] = options
  if (!first) throw tooManyMinutes(ways, input)

  const { also_makes: _, ...values } = first
  const jobId = newId('job')
  const requiresAssembly = input.requires_assembly ?? sku?.requires_assembly ?? false
  // What the job is to yield is written once it is there.
  const job = await insertJob(work, (file && !sku && closing) || sql, {
    id: jobId,
    ...values,
    option_position: file ? null : 0,
    printer_id: printerId ?? null,
    product_id: productId ?? sku?.product_id ?? null,
    product_sku_id: sku?.id ?? null,
    product_name: givenProductName ?? sku?.product_name ?? null,
    sku_name: sku ? skuNameOf(sku) : null,
    number_of_units: input.number_of_units,
    requires_assembly: requiresAssembly,
    priority: input.priority ?? 'normal',
    due_date: input.due_date ? new Date(input.due_date) : null,
    created_by: work.actor,
    order_item_id: input.order_item_id ?? null,
  }).catch((error: unknown) => {
    throw isMissingValue(error, 'print_file_id') ? new AppError('FILE_NOT_FOUND') : error
  })
  if (!file) await insertOptions(work, jobId, options)
  else if (sku) {
    await insertMainOutput(work, jobId, {
      product_sku_id: sku.id,
      units_per_plate: input.quantity_per_print,
      units: input.number_of_units,
      requires_assembly: requiresAssembly,
    })
  }
  return { ...job, printer_name: printer?.name ?? null, printer_model: printer?.model ?? null }
}

async function findNamedFile(
  files: FileMemory,
  accountId: AccountId,
  { print_file_id: fileId, recipe_id: recipeId }: EnqueueInput,
): Promise<FileForJob | undefined> {
  if (fileId === undefined) return undefined
  if (recipeId !== undefined) throw validationError({ recipe_id: ['excludes print_file_id'] })
  const file = await files.find(accountId, fileId)
  if (!file) throw new AppError('FILE_NOT_FOUND')
  return file
}

/**
 * The ways in which a SKU can be made: those for models that the farm has before all others, then the preferred ones. For a printer
 * only those of its model, if there is any.
 *
 * @throws AppError `NO_RECIPE`
 */
async function findWays(
  { sql, accountId }: Work,
  sku: SkuForJob | undefined,
  recipeIds: readonly RecipeId[] | undefined,
  printerModel: string | undefined,
): Promise<WayToMake[]> {
  if (!sku) throw validationError({ print_file_id: ['is required, unless product_sku_id is given'] })
  const ways = await listWaysToMake(sql, accountId, sku.id, recipeIds)
  if (ways.length === 0) throw new AppError('NO_RECIPE', { sku: sku.sku })
  if (printerModel !== undefined) {
    const fitting = ways.filter((way) => isSlicedFor(printerModel, way.printer_model))
    return fitting.length > 0 ? fitting : ways
  }
  const models = await listModelsInUse(sql, accountId)
  const isHere = (way: WayToMake) => models.some((model) => isSlicedFor(model, way.printer_model))
  return [...ways.filter(isHere), ...ways.filter((way) => !isHere(way))]
}

/** A job as it is printed in one way. */
function optionOf(way: WayOfJob, sku: SkuForJob | undefined, input: EnqueueInput): JobOption {
  const plates = platesNeeded(input.number_of_units, way.units_per_plate)
  return {
    recipe_id: way.recipe_id,
    print_file_id: way.print_file_id,
    file_version_id: way.file_version_id,
    file_name: way.name,
    color: input.color ?? (sku?.color || way.filament_color || ''),
    filament_type: input.filament_type ?? (sku?.filament_type || way.filament_type || ''),
    material_type: input.material_type ?? way.filament_type ?? defaultMaterial,
    any_color: input.any_color ?? takesAnyColor(input.color, sku?.color, way.filament_color),
    quantity_per_print: way.units_per_plate,
    plates_total: plates,
    estimated_print_time_minutes: minutesOf(way, input),
    filament_needed_grams:
      way.filament_weight_grams === null ? null : Math.round(way.filament_weight_grams * plates * 100) / 100,
    also_makes: way.also_makes,
  }
}

function minutesOf(
  { print_time_seconds: seconds, units_per_plate: perPlate }: WayOfJob,
  { number_of_units: units }: EnqueueInput,
): number | null {
  return seconds === null ? null : Math.ceil((seconds * platesNeeded(units, perPlate)) / 60)
}

const isPrintable = ({ estimated_print_time_minutes: minutes }: JobOption) => minutes === null || minutes <= mostMinutes

function tooManyMinutes(ways: readonly WayOfJob[], input: EnqueueInput): AppError {
  const minutes = Math.min(...ways.map((way) => minutesOf(way, input) ?? 0))
  return validationError({ number_of_units: [`would take ${minutes} minutes to print; at most ${mostMinutes}`] })
}

/** Colour and filament of a SKU, as jobs show them. */
export function skuNameOf({ color, filament_type }: Pick<SkuForJob, 'color' | 'filament_type'>): string {
  return [color, filament_type].filter(Boolean).join(' ')
}

/**
 * The colour of a file is only what the slicer showed while it was sliced: it was not asked for. Of a print in several colours they
 * are part of the print.
 */
function takesAnyColor(color: string | undefined, skuColor: string | undefined, fileColor: string | null): boolean {
  if (color !== undefined) return color === ''
  return !skuColor && !fileColor?.includes(';')
}

/** Refuses an action that the job's state does not allow; `details.status` gives the state. */
export function refuseUnlessPossible(action: JobAction, job: Pick<JobDetailRow, 'status'>): void {
  if (!isActionPossible(action, job.status)) throw jobStateChanged(action, job.status)
}

export function jobStateChanged(action: string, status: string): AppError {
  return new AppError('JOB_STATE_CHANGED', { status, action }, { details: { status } })
}
