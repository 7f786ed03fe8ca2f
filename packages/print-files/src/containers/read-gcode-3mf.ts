import { createHash } from 'node:crypto'
import { addExtent } from '../gcode/plate-extent.ts'
import { type ReadGcode, readGcode } from '../gcode/read-gcode.ts'
import { checkThumbnail, sortThumbnails } from '../images/thumbnails.ts'
import type { Limits } from '../limits.ts'
import {
  type Plate,
  type PrintFacts,
  type PrintFile,
  type Thumbnail,
  unknownFacts,
  unknownFilament,
} from '../print-file.ts'
import { PrintFileError, quoteName } from '../print-file-error.ts'
import { normalizeColor } from '../settings/colors.ts'
import { completeAmounts } from '../settings/filament-weight.ts'
import { own, parseJsonObject } from '../settings/json.ts'
import { addProfile, configuredBody, configuredFilament, toolOf } from '../settings/profile.ts'
import { type Settings, settingsFromJson } from '../settings/settings.ts'
import { type PlateGeometry, readPlateGeometry } from './plate-geometry.ts'
import { readPlateNames, readSliceInfo, type SlicedPlate, type SliceInfo } from './slice-info.ts'
import { parseXml, type XmlElement } from './xml.ts'
import type { ArchiveEntry, ZipArchive } from './zip-archive.ts'

/** The sliced plates of an archive: their numbers, which may have gaps, and entries. Throws when there are too many. */
export function listPlates(archive: ZipArchive, limits: Limits): { index: number; entry: ArchiveEntry }[] {
  const plates = archive.names().flatMap((name) => {
    const number = /^Metadata\/plate_(\d{1,6})\.gcode$/i.exec(name)?.[1]
    return number === undefined ? [] : [{ index: Number(number), entry: archive.find(name)! }]
  })
  if (plates.length > limits.maxPlates) {
    throw new PrintFileError('UNSAFE', `The archive has ${plates.length} plates, more than ${limits.maxPlates}.`)
  }
  return plates.sort((a, b) => a.index - b.index)
}

/**
 * Reads a sliced archive of Bambu Studio or Orca. Each value is taken from the first of `slice_info.config`, the
 * plate's G-code, `plate_N.json` and `project_settings.config` that has it. Sources that are missing or unreadable
 * are passed over with a warning; a G-code that does not match its MD5 is refused as damaged.
 */
export async function readGcode3mf(archive: ZipArchive, limits: Limits): Promise<PrintFile> {
  const sources = await readSources(archive, limits)
  const plates: Plate[] = []
  let slicer: string | null = null
  let slicerVersion: string | null = null
  for (const { index, entry } of listPlates(archive, limits)) {
    const gcode = await readPlateGcode(archive, entry, limits)
    slicer ??= gcode.slicer
    slicerVersion ??= gcode.slicerVersion
    const geometry = await readJson(archive, `Metadata/plate_${index}.json`, limits)
    const facts = combine(
      sources.info.plates.get(index),
      gcode.facts,
      geometry === undefined ? undefined : readPlateGeometry(geometry, limits.maxObjects),
      sources.settings,
    )
    facts.thumbnails = await readThumbnails(archive, index, facts, limits)
    plates.push({ index, name: sources.names.get(index) ?? null, gcodePath: entry.name, ...facts })
  }
  const agreed = agree(plates)
  agreed.warnings = [...sources.warnings, ...agreed.warnings]
  return {
    format: 'gcode-3mf',
    isSliced: true,
    slicer: slicer ?? (sources.info.slicerVersion === null ? null : 'BambuStudio'),
    slicerVersion: slicerVersion ?? sources.info.slicerVersion,
    ...agreed,
    plates,
  }
}

/** Streams one plate's G-code and compares it with the MD5 beside it, if there is one. */
export async function readPlateGcode(archive: ZipArchive, entry: ArchiveEntry, limits: Limits): Promise<ReadGcode> {
  const md5Entry = archive.find(`${entry.name}.md5`)
  const expected = md5Entry === undefined ? '' : (await archive.read(md5Entry, 1024)).toString('latin1').trim()
  // The format's own checksum, against damage and not against malice.
  const md5 = createHash('md5')
  async function* hashed() {
    for await (const chunk of archive.stream(entry, limits.maxGcodeBytes)) {
      md5.update(chunk)
      yield chunk
    }
  }
  const gcode = await readGcode(hashed(), limits)
  if (/^[0-9a-f]{32}$/i.test(expected) && md5.digest('hex') !== expected.toLowerCase()) {
    throw new PrintFileError(
      'DAMAGED',
      `Entry ${quoteName(entry.name)} does not match the MD5 in ${quoteName(md5Entry!.name)}.`,
    )
  }
  return gcode
}

interface Sources {
  info: SliceInfo
  names: Map<number, string>
  settings: Settings
  warnings: string[]
}

async function readSources(archive: ZipArchive, limits: Limits): Promise<Sources> {
  const warnings: string[] = []
  const xml = async (name: string): Promise<XmlElement> => {
    const entry = archive.find(name)
    if (entry === undefined) return {}
    const document = parseXml(await archive.read(entry), name, limits)
    if (document === undefined) warnings.push(`${name} is not well-formed and was passed over.`)
    return document ?? {}
  }
  const info = readSliceInfo(await xml('Metadata/slice_info.config'), limits.maxObjects)
  const names = readPlateNames(await xml('Metadata/model_settings.config'))
  const settingsName = 'Metadata/project_settings.config'
  const settings = await readJson(archive, settingsName, limits)
  if (settings === undefined && archive.find(settingsName) !== undefined) {
    warnings.push(`${settingsName} is not readable and was passed over.`)
  }
  return { info, names, settings: settingsFromJson(settings), warnings }
}

async function readJson(archive: ZipArchive, name: string, limits: Limits): Promise<object | undefined> {
  const entry = archive.find(name)
  return entry === undefined ? undefined : parseJsonObject(await archive.read(entry), name, limits)
}

function combine(
  plate: SlicedPlate | undefined,
  gcode: PrintFacts,
  geometry: PlateGeometry | undefined,
  settings: Settings,
): PrintFacts {
  const facts = { ...gcode }
  if (plate?.printTimeSeconds != null) {
    facts.printTimeSeconds = plate.printTimeSeconds
    notEstimated(facts, 'printTimeSeconds')
  }
  if (plate !== undefined && plate.nozzleDiametersMm.length > 0) facts.nozzleDiametersMm = plate.nozzleDiametersMm
  combineFilaments(facts, plate, geometry, settings)
  facts.bedType ??= geometry?.bedType ?? null
  if (
    facts.nozzleDiametersMm.length === 0 &&
    geometry?.nozzleDiameterMm != null &&
    settings.numbers('nozzle_diameter').length === 0
  ) {
    facts.nozzleDiametersMm = [geometry.nozzleDiameterMm]
  }
  addProfile(facts, settings)
  facts.printerModel ??= plate?.printerModelId ?? null
  facts.objects = combineObjects(plate, gcode, geometry)
  addExtent(facts)
  facts.warnings = [...(plate?.warnings ?? []), ...facts.warnings]
  return facts
}

/** The plate's own list decides which filaments are used; the other sources only fill gaps in it. */
function combineFilaments(
  facts: PrintFacts,
  plate: SlicedPlate | undefined,
  geometry: PlateGeometry | undefined,
  settings: Settings,
): void {
  const written = new Map(facts.filaments.map((filament) => [filament.index, filament]))
  if (plate !== undefined && plate.filaments.length > 0) {
    facts.filaments = plate.filaments
    facts.totalLengthMm = null
    facts.totalWeightG = null
    notEstimated(facts, 'lengthMm', 'totalLengthMm', 'weightG', 'totalWeightG')
  } else if (facts.filaments.length === 0 && geometry !== undefined) {
    facts.filaments = geometry.filaments.map(({ index }) => unknownFilament(index))
  }
  facts.filaments = facts.filaments.map((filament) => {
    const configured = configuredFilament(settings, filament.index)
    const inGcode = written.get(filament.index)
    const inJson = geometry?.filaments.find(({ index }) => index === filament.index)
    return {
      ...filament,
      type: filament.type ?? inGcode?.type ?? configured.type,
      color: filament.color ?? inGcode?.color ?? normalizeColor(inJson?.color) ?? configured.color,
      presetId: filament.presetId ?? inGcode?.presetId ?? configured.presetId,
      // The map of the project may have been changed for this plate alone.
      tool: toolOf(plate?.filamentMaps ?? [], settings, filament.index) ?? inGcode?.tool ?? configured.tool,
      lengthMm: filament.lengthMm ?? inGcode?.lengthMm ?? null,
      volumeCm3: filament.volumeCm3 ?? inGcode?.volumeCm3 ?? null,
      weightG: filament.weightG ?? inGcode?.weightG ?? null,
    }
  })
  if (plate?.totalWeightG != null) {
    facts.totalWeightG = plate.totalWeightG
    notEstimated(facts, 'totalWeightG')
  }
  completeAmounts(facts, (filament) => configuredBody(settings, filament.index))
}

function combineObjects(plate: SlicedPlate | undefined, gcode: PrintFacts, geometry: PlateGeometry | undefined) {
  const [first] = [plate?.objects ?? [], gcode.objects, geometry?.objects ?? []].filter((objects) => objects.length > 0)
  const outlines = new Map(geometry?.objects.map((object) => [object.id, object.polygon]))
  return (first ?? []).map((object) => {
    const polygon = object.polygon ?? outlines.get(object.id)
    return polygon === undefined ? object : { ...object, polygon }
  })
}

async function readThumbnails(
  archive: ZipArchive,
  index: number,
  facts: PrintFacts,
  limits: Limits,
): Promise<Thumbnail[]> {
  const found: Thumbnail[] = []
  for (const name of [`Metadata/plate_${index}.png`, `Metadata/plate_${index}_small.png`]) {
    const checked = await readThumbnail(archive, name, limits)
    if (typeof checked === 'string') facts.warnings.push(checked)
    else if (checked !== undefined) found.push(checked)
  }
  return sortThumbnails(found.length > 0 ? found : facts.thumbnails)
}

/** A picture of an archive; a sentence when it cannot be shown; undefined when it is not there. */
export async function readThumbnail(
  archive: ZipArchive,
  name: string,
  limits: Limits,
): Promise<Thumbnail | string | undefined> {
  const entry = archive.find(name)
  if (entry === undefined) return undefined
  if (entry.claimedBytes > limits.maxThumbnailBytes) return `Thumbnail ${name} was left out: it is too large.`
  const checked = checkThumbnail(await archive.read(entry, limits.maxThumbnailBytes), limits)
  return typeof checked === 'string' ? `Thumbnail ${name} was left out: ${checked}.` : checked
}

/** Answers what all plates agree on. Warnings and pictures need no agreement: all the warnings, the first plate's pictures. */
function agree(plates: readonly Plate[]): PrintFacts {
  const [first, ...others] = plates
  if (first === undefined) return unknownFacts()
  const { index: _index, name: _name, gcodePath: _path, ...facts } = first
  if (others.length === 0) return facts
  const agreed = Object.fromEntries(
    Object.entries(unknownFacts()).map(([key, unknown]) => {
      const value = own(first, key)
      const text = JSON.stringify(value)
      return [
        key,
        key !== 'thumbnails' && others.every((plate) => JSON.stringify(own(plate, key)) === text) ? value : unknown,
      ]
    }),
    // The entries are those of unknownFacts() with values of the same fields.
  ) as unknown as PrintFacts
  agreed.thumbnails = first.thumbnails
  agreed.warnings = plates.flatMap((plate) => plate.warnings.map((warning) => `Plate ${plate.index}: ${warning}`))
  return agreed
}

function notEstimated(facts: PrintFacts, ...fields: string[]): void {
  facts.estimated = facts.estimated.filter((field) => !fields.includes(field))
}
