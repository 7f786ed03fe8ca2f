import type { AccountId, FileVersionId, SkuId } from '../../kernel/ids.ts'
import { inTurns } from '../../kernel/in-turns.ts'
import type { Work } from '../events/work.ts'
import { rememberModels } from '../matching/farm-facts.ts'
import { isSlicedFor } from '../matching/sliced-for.ts'
import type { FileOnModel } from '../print-times/print-times.queries.ts'
import { loadPrintTimes } from '../print-times/print-times.service.ts'
import { type FarmFacts, type FarmForecast, forecastFarm } from './forecast/forecast-farm.ts'
import {
  type JobToForecast,
  type LineToForecast,
  listJobsToForecast,
  listRecipesToForecast,
  listWorkingPrinters,
} from './forecast-facts.queries.ts'

/** Answers when all jobs that are not over will be done, and what these lines still lack. Others have their turn in the process meanwhile. */
export async function forecastJobs(work: Work, lines: readonly LineToForecast[]): Promise<FarmForecast> {
  return forecastFarm(await loadFarm(work, lines))
}

async function loadFarm({ sql, accountId, now }: Work, lines: readonly LineToForecast[]): Promise<FarmFacts> {
  const printers = await listWorkingPrinters(sql, accountId)
  const files = new FilesToTime(printers.map(({ model }) => model))
  const running: FarmFacts['running'][number][] = []
  const queued: FarmFacts['queued'][number][] = []
  for await (const jobs of listJobsToForecast(sql, accountId)) {
    for (const job of jobs) {
      files.addJob(job)
      if (isRunning(job)) running.push(runningJob(job))
      else queued.push(queuedJob(job))
    }
  }
  const gaps: FarmFacts['gaps'][number][] = []
  const recipes = await loadRecipes({ sql, accountId }, lines, files)
  for await (const some of inTurns(lines)) gaps.push(...some.flatMap((line) => gapsOf(line, recipes)))
  const timeOf = await loadPrintTimes(sql, accountId, files.wanted())
  return {
    nowMs: now.getTime(),
    printers,
    running,
    queued,
    gaps,
    timeOf: (file_version_id, model) => timeOf({ file_version_id, model }),
    fits: files.fits,
  }
}

/** The files of jobs and recipes, each once, with the models on which they may be printed. */
class FilesToTime {
  readonly #models: readonly string[]
  readonly #modelOfFile = new Map<FileVersionId, string | null>()
  /** Files of jobs that are on a printer, which may be away now. */
  readonly #onPrinters = new Map<string, FileOnModel>()
  readonly fits: FarmFacts['fits']

  constructor(models: readonly string[]) {
    this.#models = [...new Set(models)]
    const isSame = rememberModels()
    this.fits = (model, fileModel) => isSlicedFor(model, fileModel, isSame)
  }

  add(file: { file_version_id: FileVersionId; printer_model: string | null }): void {
    this.#modelOfFile.set(file.file_version_id, file.printer_model)
  }

  addJob(job: JobToForecast): void {
    this.add(job)
    for (const way of job.options ?? []) this.add(way)
    const { file_version_id, model } = job
    if (model !== null) this.#onPrinters.set(`${file_version_id} ${model}`, { file_version_id, model })
  }

  wanted(): FileOnModel[] {
    const all = new Map(this.#onPrinters)
    for (const [file_version_id, fileModel] of this.#modelOfFile) {
      for (const model of this.#models) {
        if (this.fits(model, fileModel)) all.set(`${file_version_id} ${model}`, { file_version_id, model })
      }
    }
    return [...all.values()]
  }
}

type OnPrinter = JobToForecast & { printer_id: NonNullable<JobToForecast['printer_id']>; model: string }

function isRunning(job: JobToForecast): job is OnPrinter {
  return job.status !== 'queued' && job.printer_id !== null && job.model !== null
}

function runningJob(job: OnPrinter): FarmFacts['running'][number] {
  return {
    id: job.id,
    fileVersionId: job.file_version_id,
    fileModel: job.printer_model,
    printerId: job.printer_id,
    model: job.model,
    startedMs: job.started_at?.getTime() ?? null,
    platesLeft: Math.max(1, job.plates_total - job.plates_done),
  }
}

function queuedJob(job: JobToForecast): FarmFacts['queued'][number] {
  return {
    id: job.id,
    printerId: job.printer_id,
    ways: (job.options ?? [job]).map((way) => ({
      fileVersionId: way.file_version_id,
      fileModel: way.printer_model,
      plates: Math.max(1, way.plates_total - job.plates_done),
    })),
  }
}

type Recipes = ReadonlyMap<SkuId, FarmFacts['gaps'][number]['recipes']>

async function loadRecipes(
  { sql, accountId }: Pick<Work, 'sql'> & { accountId: AccountId },
  lines: readonly LineToForecast[],
  files: FilesToTime,
): Promise<Recipes> {
  const skuIds = new Set<SkuId>()
  for await (const some of inTurns(lines)) {
    for (const { gaps } of some) for (const { product_sku_id } of gaps) skuIds.add(product_sku_id)
  }
  const recipes = new Map<SkuId, FarmFacts['gaps'][number]['recipes'][number][]>()
  if (skuIds.size === 0) return recipes
  for await (const some of listRecipesToForecast(sql, accountId, [...skuIds])) {
    for (const recipe of some) {
      files.add(recipe)
      const ofSku = recipes.get(recipe.sku_id) ?? []
      if (ofSku.length === 0) recipes.set(recipe.sku_id, ofSku)
      const { file_version_id: fileVersionId, printer_model: fileModel, units_per_plate: unitsPerPlate } = recipe
      ofSku.push({ fileVersionId, fileModel, unitsPerPlate })
    }
  }
  return recipes
}

function gapsOf(line: LineToForecast, recipes: Recipes): FarmFacts['gaps'][number][] {
  return line.gaps.map(({ product_sku_id: skuId, units }) => ({
    orderItemId: line.id,
    skuId,
    units,
    isDedicated: line.is_dedicated,
    recipes: recipes.get(skuId) ?? [],
  }))
}
