import { unknownFilament } from '../print-file.ts'
import { parseDuration } from '../settings/durations.ts'
import { markEstimated } from '../settings/filament-weight.ts'
import { positive, readNumber } from '../settings/lists.ts'
import { addProfile, configuredBody, configuredCount, configuredFilament } from '../settings/profile.ts'
import { type Settings, settingsFromLines } from '../settings/settings.ts'
import type { GcodeReading } from './gcode-reading.ts'
import { objectsFromInfo } from './print-objects.ts'

/** PrusaSlicer, Slic3r, OrcaSlicer and their descendants: `; key = value`, most of it at the end of the file. */
export function readPrusa(reading: GcodeReading): void {
  const { comments, facts } = reading
  const settings = settingsFromLines(comments.settings)
  addSlic3rAmounts(reading)
  addPrusaAmounts(reading, settings)
  addProfile(facts, settings)

  facts.layerCount =
    positive(readNumber(comments.settings.get('total layers count') ?? '')) ??
    positive(readNumber(comments.headers.get('total layer number') ?? ''))
  facts.maxZMm ??= positive(readNumber(comments.headers.get('max_z_height') ?? ''))
  const objects = comments.settings.get('objects_info')
  if (objects !== undefined) facts.objects = objectsFromInfo(objects, reading.limits.maxObjects)
  warnWhenCutShort(reading)
}

/**
 * Amounts and times in the words of PrusaSlicer; binary files use the same keys. Amounts are one per configured
 * extruder, where 0 stands for "not used".
 */
export function addPrusaAmounts(reading: Omit<GcodeReading, 'comments' | 'scan'>, settings: Settings): void {
  const { facts, bodies } = reading
  facts.printTimeSeconds ??= parseDuration(settings.text('estimated printing time (normal mode)') ?? '')
  if (facts.filaments.length === 0) {
    const [lengths, volumes, weights] = ['mm', 'cm3', 'g'].map((unit) => settings.numbers(`filament used [${unit}]`))
    const places = Math.min(64, Math.max(lengths!.length, volumes!.length, weights!.length))
    for (let index = 0; index < places; index++) {
      const amounts = {
        lengthMm: positive(lengths![index]),
        volumeCm3: positive(volumes![index]),
        weightG: positive(weights![index]),
      }
      if (Object.values(amounts).every((amount) => amount === null)) continue
      facts.filaments.push({ ...configuredFilament(settings, index), ...amounts })
    }
  }
  addUnmeasuredFilaments(reading, settings)
  for (const { index } of facts.filaments) bodies.set(index, configuredBody(settings, index))
  // The total also holds the wipe tower, which the amounts per extruder leave out in some versions.
  const total = positive(settings.numbers('total filament used [g]')[0])
  facts.totalWeightG ??= total
}

/** Without amounts the configured filaments are all that is known. */
function addUnmeasuredFilaments({ facts }: Pick<GcodeReading, 'facts'>, settings: Settings): void {
  if (facts.filaments.length > 0) return
  const count = Math.min(configuredCount(settings), 64)
  for (let index = 0; index < count; index++) facts.filaments.push(configuredFilament(settings, index))
  if (count > 1) facts.warnings.push('The file does not say which of its configured filaments it uses.')
}

/** Slic3r 1.3 writes one line per extruder: `; filament used = 206.0mm (1.5cm3)`. */
function addSlic3rAmounts({ comments, facts }: GcodeReading): void {
  let index = 0
  for (const line of comments.lines) {
    const found = /^; filament used = ([\d.]+)mm \(([\d.]+)cm3\)$/.exec(line)
    if (found === null) continue
    const [lengthMm, volumeCm3] = [positive(readNumber(found[1]!)), positive(readNumber(found[2]!))]
    // One decimal of the volume is too coarse beside the length, so the length alone is kept.
    if ((lengthMm !== null || volumeCm3 !== null) && index < 64) {
      const amounts = { lengthMm, volumeCm3: lengthMm === null ? volumeCm3 : null }
      facts.filaments.push({ ...unknownFilament(index), ...amounts })
    }
    index++
  }
  if (index > 0) {
    const settings = settingsFromLines(comments.settings)
    facts.filaments = facts.filaments.map((filament) => ({
      ...configuredFilament(settings, filament.index),
      lengthMm: filament.lengthMm,
      volumeCm3: filament.volumeCm3,
    }))
  }
}

function warnWhenCutShort({ comments, facts }: GcodeReading): void {
  for (const name of ['prusaslicer_config', 'CONFIG_BLOCK', 'EXECUTABLE_BLOCK']) {
    const begins = comments.settings.get(name) === 'begin' || comments.lines.includes(`; ${name}_START`)
    const ends = comments.settings.get(name) === 'end' || comments.lines.includes(`; ${name}_END`)
    if (begins && !ends) facts.warnings.push(`The block ${name} has no end: the file may be cut short.`)
  }
}

/** Layers from the heights alone, for files without marks and without moves to read. */
export function estimateLayerCount(facts: GcodeReading['facts']): void {
  const { maxZMm, layerHeightMm, firstLayerHeightMm } = facts
  if (facts.layerCount !== null || maxZMm === null || layerHeightMm === null) return
  const count = Math.round((maxZMm - (firstLayerHeightMm ?? layerHeightMm)) / layerHeightMm) + 1
  if (!(count >= 1 && count <= 1_000_000)) return
  facts.layerCount = count
  markEstimated(facts, 'layerCount')
}
