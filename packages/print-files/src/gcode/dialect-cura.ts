import { unknownFilament } from '../print-file.ts'
import { knownSeconds } from '../settings/durations.ts'
import { markEstimated } from '../settings/filament-weight.ts'
import { positive, readNumber } from '../settings/lists.ts'
import type { GcodeReading } from './gcode-reading.ts'
import { extent } from './plate-extent.ts'

/** What the engine writes for the time when no one fills in the real one later. */
const placeholderSeconds = 6666

/** The machines that write Griffin and UltiGCode headers use thick filament, mm. */
const thickDiameterMm = 2.85

/** Cura: a header at the top with `;TIME:`, `;Filament used:` and bounds. */
export function readCura(reading: GcodeReading): void {
  const { comments, facts } = reading
  const header = (key: string) => comments.headers.get(key) ?? ''
  addCuraFilaments(reading)

  const seconds = readNumber(header('TIME'))
  const isPlaceholder =
    seconds === placeholderSeconds && facts.filaments.every((filament) => filament.lengthMm === null)
  if (!isPlaceholder) facts.printTimeSeconds = knownSeconds(seconds)
  addElapsedTime(reading)

  facts.layerHeightMm = positive(readNumber(header('Layer height')))
  facts.maxZMm = plausibleMm(readNumber(header('MAXZ')))
  facts.widthMm = extent(readNumber(header('MINX')), readNumber(header('MAXX')))
  facts.depthMm = extent(readNumber(header('MINY')), readNumber(header('MAXY')))
  facts.printerModel = header('TARGET_MACHINE.NAME').trim() || null
  addWrittenSettings(reading)
  facts.layerCount = positive(reading.scan.announcedLayers)
}

/** The Griffin header of UltiMaker's printers, `;KEY.PART:value` between START_OF_HEADER and END_OF_HEADER. */
export function readGriffin(reading: GcodeReading): void {
  const { comments, facts, bodies } = reading
  const header = (key: string) => comments.headers.get(key) ?? ''
  facts.printTimeSeconds = knownSeconds(readNumber(header('PRINT.TIME')))
  if (facts.printTimeSeconds === null) addElapsedTime(reading)
  facts.printerModel = header('TARGET_MACHINE.NAME').trim() || null
  facts.maxZMm = plausibleMm(readNumber(header('PRINT.SIZE.MAX.Z')))
  facts.bedTempC = positive(readNumber(header('BUILD_PLATE.INITIAL_TEMPERATURE')))
  facts.chamberTempC = positive(readNumber(header('BUILD_VOLUME.TEMPERATURE')))
  facts.bedType = header('BUILD_PLATE.TYPE').trim() || null
  for (let train = 0; train < 16; train++) {
    const part = (key: string) => header(`EXTRUDER_TRAIN.${train}.${key}`)
    const volumeMm3 = positive(readNumber(part('MATERIAL.VOLUME_USED')))
    const nozzleMm = positive(readNumber(part('NOZZLE.DIAMETER')))
    const tempC = positive(readNumber(part('INITIAL_TEMPERATURE')))
    if (nozzleMm !== null) facts.nozzleDiametersMm.push(nozzleMm)
    if (tempC !== null) facts.nozzleTempC.push(tempC)
    if (volumeMm3 === null) continue
    facts.filaments.push({
      ...unknownFilament(train),
      presetId: part('MATERIAL.GUID').trim() || null,
      volumeCm3: volumeMm3 / 1000,
    })
    bodies.set(train, { diameterMm: thickDiameterMm })
    markEstimated(facts, 'lengthMm', 'totalLengthMm')
  }
  facts.layerHeightMm = positive(readNumber(header('Layer height')))
  facts.layerCount = positive(reading.scan.announcedLayers)
}

/** Metres per extruder (`0.65m, 1.2m`), or mm³ in the UltiGCode flavour. */
function addCuraFilaments({ comments, facts, bodies }: GcodeReading): void {
  const used = comments.headers.get('Filament used') ?? ''
  const types = [comments.settings.get('Filament type') ?? comments.headers.get('Filament type') ?? '']
  used.split(',').forEach((item, index) => {
    const found = /^\s*([\d.]+)\s*(m|mm|mm3)\s*$/.exec(item)
    const amount = positive(readNumber(found?.[1] ?? ''))
    if (amount === null) return
    const filament = { ...unknownFilament(index), type: types[index]?.trim() || null }
    if (found![2] === 'mm3') facts.filaments.push({ ...filament, volumeCm3: amount / 1000 })
    else facts.filaments.push({ ...filament, lengthMm: found![2] === 'm' ? amount * 1000 : amount })
  })
  if (facts.filaments.length > 0) return
  for (const [index, key] of ['MATERIAL', 'MATERIAL2'].entries()) {
    const volumeMm3 = positive(readNumber(comments.headers.get(key) ?? ''))
    if (volumeMm3 === null) continue
    facts.filaments.push({ ...unknownFilament(index), volumeCm3: volumeMm3 / 1000 })
    bodies.set(index, { diameterMm: thickDiameterMm })
    markEstimated(facts, 'lengthMm', 'totalLengthMm')
  }
}

function addElapsedTime({ scan, facts }: GcodeReading): void {
  if (facts.printTimeSeconds !== null || scan.elapsedSeconds === null) return
  facts.printTimeSeconds = knownSeconds(scan.elapsedSeconds)
  if (facts.printTimeSeconds !== null) markEstimated(facts, 'printTimeSeconds')
}

/** Printer and profile from the `;SETTING_3` lines at the end: JSON whose values are INI files, cut over many lines. */
function addWrittenSettings({ comments, facts }: GcodeReading): void {
  const json = comments.lines.flatMap((line) => /^;SETTING_3 (.*)$/.exec(line)?.[1] ?? []).join('')
  if (json === '') return
  facts.printerModel ??= /definition = ([\w-]{1,80})/.exec(json)?.[1] ?? null
  facts.printProfile ??= /name = ([^\\"]{1,120})\\/.exec(json)?.[1]?.trim() || null
}

/** Bounds that no one filled in are ±2147483.648. */
function plausibleMm(value: number): number | null {
  return value > 0 && value < 100_000 ? value : null
}
