import { readComments } from '../gcode/gcode-comments.ts'
import { readGcode } from '../gcode/read-gcode.ts'
import { sortThumbnails } from '../images/thumbnails.ts'
import type { Limits } from '../limits.ts'
import { type PrintFile, type Thumbnail, unknownFacts } from '../print-file.ts'
import { PrintFileError } from '../print-file-error.ts'
import { parseJsonObject } from '../settings/json.ts'
import { addProfile } from '../settings/profile.ts'
import { settingsFromJson, settingsFromLines } from '../settings/settings.ts'
import { listPlates, readGcode3mf, readThumbnail } from './read-gcode-3mf.ts'
import type { ZipArchive } from './zip-archive.ts'

/** The G-code inside an UltiMaker package; with a leading slash in most of them, which the archive takes off. */
export const ufpGcodeName = '3D/model.gcode'

/** Reads an archive after looking at what lies inside. Throws `NOT_A_PRINT_FILE` when nothing in it belongs to printing. */
export async function readArchive(archive: ZipArchive, limits: Limits): Promise<PrintFile> {
  if (listPlates(archive, limits).length > 0) return readGcode3mf(archive, limits)
  if (archive.find(ufpGcodeName) !== undefined) return readUfp(archive, limits)
  const names = archive.names()
  if (
    names.some((name) => /^3D\/[^/]+\.model$/i.test(name)) ||
    archive.find('Metadata/slice_info.config') !== undefined
  ) {
    return readProject(archive, limits)
  }
  if (names.some((name) => /\.amf$/i.test(name))) return unsliced('amf')
  throw new PrintFileError(
    'NOT_A_PRINT_FILE',
    `The archive has ${names.length} entries, none of them a sliced plate, a G-code or a 3MF model.`,
  )
}

/** A file of a format that describes shapes and no moves. */
export function unsliced(format: 'stl' | 'obj' | 'amf' | 'project-3mf'): PrintFile {
  return { format, isSliced: false, slicer: null, slicerVersion: null, ...unknownFacts(), plates: [] }
}

async function readUfp(archive: ZipArchive, limits: Limits): Promise<PrintFile> {
  const entry = archive.find(ufpGcodeName)!
  const { facts, slicer, slicerVersion } = await readGcode(archive.stream(entry, limits.maxGcodeBytes), limits)
  const thumbnail = await readThumbnail(archive, 'Metadata/thumbnail.png', limits)
  if (typeof thumbnail === 'string') facts.warnings.push(thumbnail)
  else if (thumbnail !== undefined) facts.thumbnails = sortThumbnails([thumbnail, ...facts.thumbnails])
  return { format: 'ufp', isSliced: true, slicer, slicerVersion, ...facts, plates: [] }
}

/** A project or model that no one sliced: who made it, for which printer, and a picture. */
async function readProject(archive: ZipArchive, limits: Limits): Promise<PrintFile> {
  const file = unsliced('project-3mf')
  const model = archive.find('3D/3dmodel.model')
  if (model !== undefined) {
    const start = (await archive.readStart(model, 64 * 1024)).toString('utf8')
    const application = /<metadata name="Application"[^>]*>([^<]{1,100})</.exec(start)?.[1]?.trim()
    const named = /^(.*?)[-\s]v?(\d\S*)$/.exec(application ?? '')
    file.slicer = named?.[1] ?? (application || null)
    file.slicerVersion = named?.[2] ?? null
  }
  const json = archive.find('Metadata/project_settings.config')
  if (json !== undefined) {
    addProfile(file, settingsFromJson(parseJsonObject(await archive.read(json), json.name, limits)))
  }
  const lines = archive.find('Metadata/Slic3r_PE.config')
  if (lines !== undefined) addProfile(file, settingsFromLines(readComments(await archive.read(lines)).settings))
  const thumbnails: Thumbnail[] = []
  for (const name of ['Metadata/thumbnail.png', 'Metadata/plate_1.png']) {
    const checked = await readThumbnail(archive, name, limits)
    if (typeof checked === 'string') file.warnings.push(checked)
    else if (checked !== undefined) thumbnails.push(checked)
  }
  file.thumbnails = sortThumbnails(thumbnails)
  return file
}
